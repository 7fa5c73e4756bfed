"""Makes from a topic what crawls it: the reader of its pages and the core with its strategy and page model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from focused.collection.trained_model import load_model, load_weights, model_digest, model_kind
from focused.crawl.crawl import Crawl
from focused.crawl.strategy import Strategy, StrategyOptions
from focused.crawl.world import InLanguage, World
from focused.exceptions import ModelError, TopicError
from focused.page.page import Page
from focused.page.reader import Reader
from focused.page.text import TextAnalyser
from focused.scorers import SETTING, link_scorers
from focused.scorers.relevance import PageModel, TrainedPageModel, page_model, page_model_version
from focused.scorers.verdict_teacher import VERSION as TEACHER_VERSION
from focused.scorers.verdict_teacher import VerdictTeacher
from focused.strategies import get_strategy
from focused.topic.mistakes import nearest, shown
from focused.topic.topic import BY_WORDS, Example, Topic

MODEL, KNOWLEDGE, WEIGHTS = "model", "knowledge", "weights"  #: options of a strategy that name a trained model
#: Kinds of trained models that judge pages, each with a strategy that says of which class they are.
JUDGES = {"classifier": "focused", "logistic": "adaptive", "layers": "context_graph"}


def assemble(
    topic: Topic,
    strategy: type[Strategy] | None = None,
    *,
    seed: int = 0,
    models: Path | None = None,
    world: Callable[..., World] = World,
    robot: str = "",
) -> tuple[Reader, Crawl]:
    """Return a reader and a fresh core for a topic.

    strategy : instead of the topic's, with its default options
    seed : of everything random
    models : folder of the user's trained models, which come before those of the package
    world : makes what the strategy may look at, where that is more than a World (see `lab/crawlers/yardstick.py`)
    robot : our product token, see `Reader`

    Raises TopicError for an unknown strategy or an example without words, ModelError for a trained model that is missing or
    does not fit, ValueError for options that the strategy's `Options` refuse (a topic that `load_topic` gave has none of these).
    """
    reader, words = _read(topic, robot)
    chosen = strategy or get_strategy(topic.strategy)
    options = chosen.Options.model_validate({} if strategy else topic.strategy_options)
    analyser = reader.analyser
    language, stemming = analyser.language, analyser.stemming
    model = _trained_model(chosen, options, analyser, models)
    relevance = _page_model(topic, reader, words, models, None if strategy else model)
    name: str = getattr(options, KNOWLEDGE, "") if chosen.knows else ""
    weights: str = getattr(options, WEIGHTS, "") if chosen.weighs else ""
    knowledge = None
    if name:
        what = chosen.knowledge_class
        knowledge = load_model(name, chosen.knows, language, models, stemming=stemming, model_class=what)
    known = world(
        words.keywords,
        [terms for _, terms in words.examples],
        description=words.description[1],
        model=model,
        knowledge=knowledge,
        weights=load_weights(weights, models) if weights else None,
        seed=seed,
        terms=analyser.terms,
        language=language,
        hubs=frozenset(reader.rules.key(reader.rules.canonical(url) or url) for url in topic.hubs),
        languages=words.by_language(),
        stemming=stemming,
        scorers=link_scorers(topic.settings.get(SETTING, {})) if chosen.uses_scorers else (),
    )
    judge = _digest_of_judge(topic, models) or page_model_version(topic.relevance.model)
    version = f"{judge}, lessons {TEACHER_VERSION}{reader.analysers.version}"
    teacher = VerdictTeacher(topic.relevance.threshold)
    return reader, Crawl(topic, chosen, options, known, relevance, version, teacher)


def tell_what_is_asked(crawl: Crawl, topic: Topic) -> None:
    """Tell a core which questions a live crawl answers, and so its journal, too."""
    crawl.world.answers, crawl.world.probes = topic.backlinks.provider != "none", True
    crawl.lists.on = True


def page_model_of(
    topic: Topic, robot: str = "", models: Path | None = None
) -> tuple[Reader, PageModel | TrainedPageModel]:
    """A reader, and what judges the pages of a topic; parameters are those of `assemble`. Raises as that does."""
    reader, words = _read(topic, robot)
    return reader, _page_model(topic, reader, words, models)


def model_of(topic: Topic, models: Path | None, strategy: type[Strategy] | None = None) -> str:
    """Digests of the trained models that a topic names, each once, a space between: for its strategy, and to judge pages.

    Parameters are those of `assemble`.

    Raises ModelError for a model that is missing.
    """
    chosen = strategy or get_strategy(topic.strategy)
    named = ((topic.strategy_options.get(MODEL), chosen.trained), (topic.strategy_options.get(KNOWLEDGE), chosen.knows))
    digests = [model_digest(str(name), kind, models) for name, kind in named if name and kind]
    if chosen.weighs and (weights := topic.strategy_options.get(WEIGHTS)):
        digests.append(load_weights(str(weights), models).digest)
    return " ".join(dict.fromkeys(filter(None, (*digests, _digest_of_judge(topic, models)))))


def _digest_of_judge(topic: Topic, models: Path | None) -> str:
    """Digest of the trained model that judges pages; empty without one."""
    name = topic.relevance.model
    return model_digest(name, _kind_of_judge(name, models), models) if topic.relevance.is_trained else ""


def _kind_of_judge(name: str, models: Path | None) -> str:
    try:
        return model_kind(name, tuple(JUDGES), models)
    except ModelError as error:
        meant = nearest(name, BY_WORDS)
        raise ModelError(f"[relevance] model: {error}{f'; did you mean {meant}?' if meant else ''}") from None


def _trained_judge(topic: Topic, analyser: TextAnalyser, models: Path | None, own: Any) -> TrainedPageModel:
    """What judges pages by a trained model; as the strategy's options make it, if that names the same one.

    own : the model of the topic's strategy, where it is loaded already
    """
    name = topic.relevance.model
    if len(topic.keywords_by_language) > 1:
        raise ModelError(
            f"[relevance] model: {name!r} knows one language, and the topic has several: {', '.join(topic.keywords_by_language)}"
        )
    kind = _kind_of_judge(name, models)
    chosen, what = get_strategy(topic.strategy), get_strategy(JUDGES[kind]).model_class
    is_own = (chosen.trained, topic.strategy_options.get(MODEL)) == (kind, name)
    model = own if is_own else None
    if model is None:
        model = load_model(name, kind, analyser.language, models, stemming=analyser.stemming, model_class=what)
    judge = chosen.tuned(model, topic.strategy_options) if is_own else model
    return TrainedPageModel(name, judge.on_topic)


def _trained_model(
    strategy: type[Strategy], options: StrategyOptions, analyser: TextAnalyser, models: Path | None
) -> Any:
    """The trained model that a strategy's option ``model`` names; None without one."""
    name: str = getattr(options, MODEL, "") if strategy.trained else ""
    if name:
        language, stemming, what = analyser.language, analyser.stemming, strategy.model_class
        return load_model(name, strategy.trained, language, models, stemming=stemming, model_class=what)
    if strategy.needs_model:
        raise ModelError(
            f"strategy {strategy.name} needs a trained model: give -a strategy.model=NAME; "
            f"make it: scrapy train NAME {strategy.trained} -a topic=TOPIC --crawl FOLDER (see scrapy train --help)"
        )
    return None


@dataclass(slots=True, frozen=True)
class _Words:
    """The texts of a topic as terms; each text has its language first."""

    keywords_in: Mapping[str, Counter[str]]  #: stems with their counts, by language
    description: tuple[str, list[str]]
    examples: list[tuple[str, list[str]]]  #: those that came as files

    @property
    def keywords(self) -> Counter[str]:
        """The keywords of all languages."""
        return sum(self.keywords_in.values(), Counter[str]())

    def texts(self, language: str | None = None) -> list[list[str]]:
        """Description and examples, in one language or in any."""
        return [terms for spoken, terms in (self.description, *self.examples) if terms and language in (None, spoken)]

    def by_language(self) -> dict[str, InLanguage]:
        """Keywords and examples of each language, where there are several."""
        if len(self.keywords_in) == 1:
            return {}
        return {
            code: InLanguage(keywords, [terms for spoken, terms in self.examples if spoken == code])
            for code, keywords in self.keywords_in.items()
        }


def _read(topic: Topic, robot: str) -> tuple[Reader, _Words]:
    """A reader, and what the topic says."""
    reader = Reader(topic.reading, topic.keywords_by_language, robot)
    analysers, spoken = reader.analysers, reader.analyser.language
    if analysers.several:
        spoken = analysers.language_of([topic.description])
    words = _Words(
        {code: Counter(analysers.of(code).terms(" ".join(said))) for code, said in topic.keywords_by_language.items()},
        (spoken, analysers.of(spoken).terms(topic.description)),
        [_terms(reader, example) for example in topic.examples if example.body is not None],
    )
    return reader, words


def _page_model(
    topic: Topic, reader: Reader, words: _Words, models: Path | None, own: Any = None
) -> PageModel | TrainedPageModel:
    """What judges the pages of a topic; ``own``: see `_trained_judge`."""
    if topic.relevance.is_trained:
        return _trained_judge(topic, reader.analyser, models, own)
    several = {code: (words.keywords_in[code], words.texts(code)) for code in words.by_language()}
    return page_model(topic.relevance.model, words.keywords, words.texts(), several)


def _terms(reader: Reader, example: Example) -> tuple[str, list[str]]:
    """Language and terms of an example that came as a file. Raises TopicError if it has none."""
    page = reader.read("http://example.invalid/", example.body or b"")
    if not isinstance(page, Page) or not page.terms:
        raise TopicError(f"[topic] examples: no words are found in {shown(example.source)}; leave it out")
    return page.language, page.terms
