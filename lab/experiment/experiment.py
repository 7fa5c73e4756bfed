"""What an experiment is: which crawlers are compared on which topics of which web, and how. One TOML file says it all."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from focused.exceptions import EvaluationError, TopicError
from focused.simulation.comparison import DEFENDED
from focused.simulation.known_webs import is_generated
from focused.simulation.simulator import Network
from focused.topic.mistakes import Mistakes, shown, unknown
from focused.topic.plain_files import at_home, read_text, shown_path
from focused.topic.topic import OPTION_TABLES, TOPIC_NAME, Table, Topic
from focused.topic.topic_file import toml_value
from lab import importance
from lab.crawlers import entrants

_LIVE = Network()  # how a live crawl meets the Web
MOST = 1_000_000  #: requests at a time, and seconds

Paths = Annotated[tuple[str, ...], Field(min_length=1)]
Level = Annotated[float, Field(gt=0.0, le=1.0)]


class Plan(Table):
    """The table [experiment]."""

    web: Paths = Field(description="the recorded web, as scrapy compare takes it")
    topics: Paths = Field(
        description="topic files that have a label file beside them, folders of them, or patterns with *"
    )
    pages: int = Field(
        1000, ge=0, le=100_000_000, description="each crawl fetches so many pages; 0 = until nothing is left"
    )
    repeats: int = Field(1, ge=1, le=10_000, description="crawls of each topic, each with other random numbers")
    outside: Literal["hide", "fail"] = Field("hide", description="what becomes of links that leave the recording")
    challenger: str = Field("", description="the strategy to be tested against the others; empty: the first")
    baselines: tuple[str, ...] = Field(
        (), description="what it is tested against; empty: all others that see no labels"
    )
    robustness: bool = Field(
        False, description="crawl from either half of the seeds as well, to see whether it matters"
    )


class Timing(Table):
    """The table [network]: when requests are sent and answered, see `simulator.Network`."""

    in_flight: int = Field(_LIVE.in_flight, ge=1, le=MOST, description="requests at a time")
    per_host: int = Field(_LIVE.per_host, ge=1, le=MOST, description="of these, to one host")
    delay: float = Field(_LIVE.delay, ge=0, le=MOST, description="seconds between two requests to one host")
    latency: float = Field(
        _LIVE.latency, ge=0, le=MOST, description="seconds until an answer arrives; with repeats, on average"
    )


class Levels(Table):
    """The table [measures]: where the curves are read."""

    recall: tuple[Level, ...] = Field(
        (0.1, 0.5, 1.0), description="precision and F1 at these recalls of reachable targets"
    )
    search: Level = Field(0.5, description="search length: pages until this share of the reachable targets is in")
    windows: tuple[Annotated[int, Field(ge=1)], ...] = Field(
        (50, 200), description="the sliding harvest rate and average relevance are those of so many last pages"
    )
    importance: tuple[str, ...] = Field(
        (), description="average relevance by these importances of a page too, such as in_links; each takes time"
    )


class Entrant(Table):
    """A strategy that takes part, with all its options. Several may differ in their options only.

    topic : keys of the topic's tables that are otherwise for this one, such as ``{"traps": {"on": False}}``
    """

    name: str
    options: dict[str, Any]
    topic: dict[str, dict[str, Any]] = Field(default_factory=dict)

    def topic_of(self, topic: Topic) -> Topic:
        """A topic as this one crawls it."""
        tables = {name: getattr(topic, name).model_copy(update=values) for name, values in self.topic.items()}
        return topic.model_copy(update={"strategy": self.name, "strategy_options": self.options, **tables})


TABLES: dict[str, type[Table]] = {"experiment": Plan, "network": Timing, "measures": Levels}
STRATEGIES = "strategies"  #: the table with one table for each strategy
TOPIC = "topic"  #: in it, keys of a topic that are otherwise for one strategy, as in ``topic.traps.on = false``


@dataclass(frozen=True)
class Experiment:
    """A comparison, complete and valid. `read_experiment` and `experiment_of` make it.

    strategies : by the name that tables and plots call them
    """

    plan: Plan
    strategies: Mapping[str, Entrant]
    network: Timing
    measures: Levels

    @property
    def challenger(self) -> str:
        return self.plan.challenger or next(iter(self.strategies))

    @property
    def baselines(self) -> tuple[str, ...]:
        others = (label for label in self.strategies if label != self.challenger and not self.sees_labels(label))
        return self.plan.baselines or tuple(others)

    def sees_labels(self, label: str) -> bool:
        return entrants.sees_labels(self.strategies[label].name)

    def network_of(self, repeat: int) -> Network:
        """The network of a repeat, from 1 on. Latencies vary with it, if there are repeats."""
        return Network(**self.network.model_dump(), seed=repeat if self.plan.repeats > 1 else None)

    def as_toml(self) -> str:
        """The text of a file that describes this experiment, defaults included."""
        lines = ["# What was compared; `python -m lab experiment` with this file compares it again.\n"]
        for table, values in (("experiment", self.plan), ("network", self.network), ("measures", self.measures)):
            lines.append(f"[{table}]")
            for key, field in type(values).model_fields.items():
                lines.append(f"{key} = {toml_value(getattr(values, key))}  # {field.description}")
            lines.append("")
        for label, entrant in self.strategies.items():
            lines.append(f"[{STRATEGIES}.{toml_value(label) if '.' in label else label}]")
            lines += [
                f"{key} = {toml_value(value)}" for key, value in {"name": entrant.name, **entrant.options}.items()
            ]
            lines += [
                f"{TOPIC}.{table}.{key} = {toml_value(value)}"
                for table, values in entrant.topic.items()
                for key, value in values.items()
            ]
            lines.append("")
        return "\n".join(lines)


def read_tables(path: Path) -> dict[str, Any]:
    """The tables of an experiment file; paths in it become absolute, as they are relative to its folder.

    A path may begin with ``~`` or hold variables of the environment, as in ``$FOCUSED_DATASETS/webkb.tar.xz``. Raises
    EvaluationError if the file is no TOML, TopicError if it cannot be read.
    """
    try:
        tables = tomllib.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise EvaluationError(f"{shown_path(path)}: not valid TOML: {error}") from None
    plan = tables.get("experiment")
    if isinstance(plan, dict):
        for key in ("web", "topics"):
            if isinstance(plan.get(key), list):
                plan[key] = [_absolute(path.parent, name) if isinstance(name, str) else name for name in plan[key]]
    return tables


def experiment_of(
    tables: Mapping[str, Any], file: str = "", options: Mapping[tuple[str, str], str] | None = None
) -> Experiment:
    """Check the tables of an experiment and put them together.

    file : where they come from, for a person
    options : the command-line option behind a value, by table and key

    Raises EvaluationError with all mistakes, one a line.
    """
    mistakes = Mistakes(file, options or {})
    for table in tables.keys() - TABLES.keys() - {STRATEGIES}:
        mistakes.add(unknown(table, (*TABLES, STRATEGIES), plural="tables"), table)
    plan = mistakes.validate(Plan, _table(tables, "experiment", mistakes), "experiment")
    network = mistakes.validate(Timing, _table(tables, "network", mistakes), "network")
    measures = mistakes.validate(Levels, _table(tables, "measures", mistakes), "measures")
    strategies = _strategies(_table(tables, STRATEGIES, mistakes), mistakes)
    if plan:
        _check_names(plan, strategies, mistakes)
    if measures:
        _check_importance(measures, mistakes)
    if mistakes.lines:
        raise EvaluationError("\n".join(mistakes.lines))
    assert plan and network and measures  # or there would be a mistake
    return Experiment(plan, strategies, network, measures)


def _absolute(folder: Path, name: str) -> str:
    return name if is_generated(name) else str((folder / at_home(os.path.expandvars(name))).absolute())


def _table(tables: Mapping[str, Any], table: str, mistakes: Mistakes) -> dict[str, Any]:
    value = tables.get(table, {})
    if isinstance(value, dict):
        return value
    mistakes.add(f"must be a table, not {shown(value)}", table)
    return {}


def _strategies(tables: Mapping[str, Any], mistakes: Mistakes) -> dict[str, Entrant]:
    found = {}
    for label, values in tables.items():
        place = f"{STRATEGIES}.{label}"
        if not TOPIC_NAME.fullmatch(label):
            mistakes.add(f"{shown(label)} cannot be a name: use letters, digits, '-', '_' and '.'", STRATEGIES)
        elif not isinstance(values, dict):
            mistakes.add(f"must be a table of options, written as [{place}], not {shown(values)}", place)
        elif (name := values.get("name", label)) not in entrants.names() and "." not in str(name):
            mistakes.add(f"{shown(name)} is {unknown(str(name), entrants.names(), plural='strategies')}", place, "name")
        else:
            own = {key: value for key, value in values.items() if key not in ("name", TOPIC)}
            try:
                model = entrants.get_entrant(str(name)).Options
            except TopicError as error:  # of an import path
                mistakes.add(str(error), place, "name")
                continue
            options = mistakes.validate(model, own, place)
            topic = _topic(name, values.get(TOPIC, {}), place, mistakes)
            if options is not None:
                found[label] = Entrant(name=name, options=options.model_dump(), topic=topic)
    if not tables:
        mistakes.add("at least one strategy is needed, as a table such as [strategies.dom]", STRATEGIES)
    return found


def _topic(name: str, tables: Any, place: str, mistakes: Mistakes) -> dict[str, dict[str, Any]]:
    """What is otherwise in the topic for one strategy."""
    found: dict[str, dict[str, Any]] = {} if name in DEFENDED else {"traps": {"on": False}}
    if not isinstance(tables, dict):
        mistakes.add(f"must be tables of a topic, as in topic.traps.on = false, not {shown(tables)}", place, TOPIC)
        return found
    for table, values in tables.items():
        if table not in OPTION_TABLES:
            mistakes.add(unknown(table, OPTION_TABLES, plural="tables of a topic"), place, TOPIC)
        elif (valid := mistakes.validate(OPTION_TABLES[table], values, f"{place}.{TOPIC}.{table}")) is not None:
            found[table] = found.get(table, {}) | valid.model_dump(exclude_unset=True)
    return found


def _check_importance(measures: Levels, mistakes: Mistakes) -> None:
    names = importance.names()
    for name in measures.importance:
        if name not in names:
            told = f"{shown(name)} is {unknown(name, names, plural='importances')}"
            mistakes.add(told, "measures", "importance")


def _check_names(plan: Plan, strategies: Mapping[str, Entrant], mistakes: Mistakes) -> None:
    challenger = plan.challenger or next(iter(strategies), "")
    for key, names in (("challenger", (challenger,)), ("baselines", plan.baselines)):
        for name in names:
            if strategies and name not in strategies:
                mistakes.add(f"{shown(name)} is {unknown(name, strategies, plural='strategies')}", "experiment", key)
    if challenger in plan.baselines:
        mistakes.add(f"{challenger} is the challenger and cannot be tested against itself", "experiment", "baselines")
