"""An agent: what its net says, how it learns, and what its child inherits."""

import math

import numpy as np
import pytest

from focused.papers.strategies.info_spiders import SpiderAgent
from focused.testing.toy_world import make_page

PAGE = make_page("http://a.example/", ("solar tax tax wind wind solar solar tax", ["http://b.example/"]))


def test_at_first_the_net_says_the_more_keywords_the_better() -> None:
    agent = SpiderAgent({"solar": 1, "wind": 1}, 1.0)
    judged = agent.judge(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.5]]))
    assert judged == pytest.approx([0.0, math.tanh(1), math.tanh(1.5)])


def test_a_step_of_back_propagation_goes_down_the_gradient_of_the_squared_error() -> None:
    agent = SpiderAgent({"solar": 1, "wind": 1}, 1.0)
    agent.learn(np.array([0]), np.array([0.5]), 0.2, rate=0.1)
    # y = tanh .5 = .4621172; step = .1 · (.2 - y) · (1 - y²) = -.0206141
    assert agent.weights == pytest.approx([1 - 0.5 * 0.0206141, 1.0, -0.0206141], abs=1e-7)


def test_a_child_has_half_of_the_energy_and_the_most_frequent_term_that_is_no_keyword_yet() -> None:
    parent = SpiderAgent({"solar": 2}, 3.0)
    child = parent.child(PAGE)
    assert (parent.energy, child.energy) == (1.5, 1.5)
    assert child.keywords == {"solar": 2, "tax": 1}
    assert parent.keywords == {"solar": 2}


def test_a_child_begins_with_the_net_of_its_parent_and_then_learns_for_itself() -> None:
    parent = SpiderAgent({"solar": 2}, 3.0)
    parent.learn(np.array([0]), np.array([1.0]), 0.0, rate=0.5)
    weight, bias = parent.weights.tolist()
    child = parent.child(PAGE)
    assert child.weights.tolist() == [weight, 1.0, bias]
    child.learn(np.array([0]), np.array([1.0]), 0.0, rate=0.5)
    assert parent.weights.tolist() == [weight, bias]


def test_a_page_without_new_terms_gives_a_child_no_keyword() -> None:
    assert SpiderAgent({"solar": 1}, 1.0).child(make_page("http://a.example/", ("solar", []))).keywords == {"solar": 1}


def with_bias() -> SpiderAgent:
    agent = SpiderAgent({"solar": 1, "wind": 1}, 1.0)
    agent.weights[:] = 0.5, -0.25, 0.125
    return agent


def test_the_bias_counts_in_what_a_net_says_and_in_what_it_learns() -> None:
    agent = with_bias()
    assert agent.judge(np.array([[0.5, 1.0]])) == pytest.approx(np.tanh([0.125]))
    agent.learn(np.array([0]), np.array([0.5]), 0.0, rate=1.0)
    # y = tanh(.25 + .125) = .3583574; step = -y · (1 - y²) = -.3123368
    assert agent.weights == pytest.approx([0.5 - 0.5 * 0.3123368, -0.25, 0.125 - 0.3123368], abs=1e-6)


def test_the_new_keyword_of_a_child_comes_after_all_others_and_before_the_bias() -> None:
    child = with_bias().child(PAGE)
    assert child.weights.tolist() == [0.5, -0.25, 1.0, 0.125]


def test_an_agent_comes_back_as_it_was_saved() -> None:
    agent = with_bias()
    again = SpiderAgent.restored(agent.state())
    assert (again.keywords, again.energy) == (agent.keywords, agent.energy)
    assert again.weights.tolist() == agent.weights.tolist()
