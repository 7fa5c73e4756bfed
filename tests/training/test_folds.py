"""Parts of a cross-validation: every example is tested once, and each class is spread evenly."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from focused.papers.training.examples import parts


@given(labels=st.lists(st.sampled_from("abc"), min_size=2, max_size=40), count=st.integers(2, 6))
def test_every_example_is_tested_once_and_never_learned_from_then(labels: list[str], count: int) -> None:
    found = list(parts(labels, count))
    assert len(found) == count
    assert sorted(i for _, tested in found for i in tested) == list(range(len(labels)))
    for learned, tested in found:
        assert sorted(learned + tested) == list(range(len(labels)))
        for label, members in Counter(labels).items():
            inside = sum(labels[i] == label for i in tested)
            assert members // count <= inside <= -(-members // count)
