# Everything is done in .venv, which is made here when it is missing. Only relative paths: the folder's name may hold spaces.

TOPIC ?= demo
BIN := .venv/bin
DATASETS ?= $(or $(FOCUSED_DATASETS),datasets)
WEBKB ?= $(DATASETS)/webkb.tar.xz
WIKISPEEDIA ?= $(DATASETS)/wikispeedia.tar.xz
COMPARED ?= adaptive,combined,breadth_first,best_first,dom,hub_seeking,fish_search,shark_search,ss1,ss2,backlink_count,pagerank,keyword_pagerank,hcla,plsi_phits,focused,context_graph,info_spiders,local_pulse,iq_learning,keyword_priority,ache_like,deepdeep_like,random,oracle_labels,oracle
COMPARED_PAGES ?= 500
DOCS_WEB ?= $(DATASETS)/docs-web.warc.gz
DOCS_TOPICS ?= $(DATASETS)/topics.json
DOCS_STRATEGIES ?= adaptive,breadth_first,best_first,dom,hub_seeking,keyword_priority
DOCS_NOFOLLOW ?= page
# Options of python -m lab experiment, such as --in-flight 1 --delay 0, or --repeats 10 to see what luck makes
DOCS_NETWORK ?=
RIVALS_PAGES ?= 400
RIVALS_OUT ?= data/rivals
# Options of python -m lab.rivals, such as --orders 3 --crawlers adaptive crawl4ai
RIVALS ?=
MINUTES ?= 5
DOCS_PAGES ?= 2000
DOCS_OUT ?= data/compare-docs
# The figures of the demo's classifier are those of these hosts, which it does not learn from.
DEMO_HELD_OUT := rooftop.example greenpower.example daily-news.example
# Beds of make models, options of python -m lab.benchmarks.link_weights; a blog web is another: --bed blogs.warc 'topics-blogs/*-easy.toml'
MODELS_BEDS ?=
ENGLISH_LICENCE := BSD-3-Clause: counts of stems, no text, of the 2007 Wikipedia selection for schools, whose articles are under the GFDL
MODELS_OUT ?= data/models
SHORT_STRATEGIES ?= adaptive,shark_search,dom,keyword_priority,best_first,breadth_first
SHORT_OUT ?= data/short

.PHONY: help install test test-lab test-slow lint test-installed test-oldest docs reference pictures crawl clean \
    bench bench-dashboard compare compare-docs compare-rivals compare-short datasets fuzz models mutate reproduce-webkb rivals scorecard shield traps

help:
	@echo "make install             create .venv and install the requirements, where they changed"
	@echo "make test                run all tests"
	@echo "make test-slow           run the tests that take tens of seconds each"
	@echo "make lint                check style and types"
	@echo "make test-installed      install the wheel into a fresh environment and crawl with it; do all that the tutorials say"
	@echo "make test-oldest         run a part of the tests with the oldest supported versions (needs Python 3.11)"
	@echo "make scorecard           one row for the product as it ships: finds, costs, size (an hour; PARTS='house start' for some of it)"
	@echo "make docs                build the documentation as a site: build/docs/index.html"
	@echo "make reference           write options, settings, strategies and commands from the code into the documents"
	@echo "make pictures            take the pictures of the dashboard and the agent for the documents again (needs Chromium, 3 minutes)"
	@echo "make crawl               crawl the demo topic on a small Web served on this machine"
	@echo "make crawl TOPIC=solar   crawl the Web for a topic (focused/topics/solar.toml)"
	@echo "make crawl ARGS=...      the same with more arguments, such as ARGS='-a pages=400'"
	@echo "make clean               remove caches and builds; keeps .venv, models and data"
	@echo "PYTHON=/path/to/python   after any of these: the Python to create .venv with"
	@echo
	@echo "The laboratory:"
	@echo "make test-lab            run the tests of the laboratory"
	@echo "make bench               measure CPU per page against plain Scrapy, and memory (about 3 minutes)"
	@echo "make bench-dashboard     measure the dashboard over 200,000 pages that are made for it (5 minutes, 2 GB in build/dashboard)"
	@echo "make fuzz                try input that nobody would write on all that reads it; MINUTES=60 for each target (default: 5)"
	@echo "make mutate              change the code, one small change at a time: which changes does no test notice? (hours)"
	@echo "make mutate ONLY=...     the same for files or folders, such as ONLY=focused/papers/strategies/focused.py (a minute)"
	@echo "make datasets            fetch WebKB and Wikispeedia into \$$FOCUSED_DATASETS, else into datasets/"
	@echo "make reproduce-webkb     repeat the WebKB experiment of Almpanidis et al. (2007) offline, with every strategy"
	@echo "make compare             every strategy on Wikispeedia's development topics, a host per subject and per article (hours)"
	@echo "make compare-docs        compare strategies on the documentation web; DOCS_WEB=docs-web.warc.gz DOCS_TOPICS=topics.json;"
	@echo "                         DOCS_NETWORK='--repeats 10' shows what luck makes of the figures"
	@echo "make compare-short       crawls of 12, 25 and 50 pages of whole sites of the documentation web (half an hour the first time)"
	@echo "make rivals              install ByteCrawl, crawl4ai and crawlee into build/rivals, apart from us (a GB, no browser)"
	@echo "make models              train what models/ holds again: WebKB, Wikispeedia, the documentation web if it is there (an hour);"
	@echo "                         MODELS_BEDS=\"--bed WEB TOPICS\" adds others; MODELS_OUT=models ships them, otherwise they go to data/models"
	@echo "make compare-rivals      crawl the documentation web with them, a plain Scrapy spider, adaptive and dom (hours)"
	@echo "make shield              what the defence against traps costs on the documentation web, and each of its rules (an hour)"
	@echo "make traps               how much of a crawl goes to traps, what it finds beside them, what it believes of itself (10 minutes)"

install: .venv/.installed

# In the order of tests/conftest.py.
test: install
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

test-lab: install
	$(BIN)/python -m pytest -n auto --dist loadfile lab/tests

test-slow: install
	$(BIN)/python -m pytest -n auto --dist loadfile -m "slow or hypothesis" --hypothesis-profile=thorough

lint: install
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy

test-installed: install
	$(BIN)/python -m pytest tests/installed -m "slow or not slow"

pictures: install
	FOCUSED_PICTURES=docs/images $(BIN)/python -m pytest -m slow tests/dashboard/browser/test_pictures.py tests/browsing/test_extension.py

# What depends most on Scrapy, numpy and the other libraries.
test-oldest: build/oldest/.installed
	build/oldest/bin/python -m pytest -n auto --dist loadfile -p no:cacheprovider -o filterwarnings=default --disable-warnings \
	    tests/contract tests/crawl tests/scorers tests/models tests/collection tests/strategies \
	    tests/crawls/test_scrapy_ways.py tests/crawls/test_politeness.py

# mutmut lies apart: the tests need none of it.
mutate: install build/mutation/.installed
	PYTHONPATH="$$PWD/build/mutation/packages" $(BIN)/python -m lab.mutation.mutate $(ONLY)

# PARTS="house start" measures some of it.
scorecard: install
	$(BIN)/python -m lab.scorecard --docs-web "$(DOCS_WEB)" --docs-topics "$(DOCS_TOPICS)" $(PARTS)

fuzz: install
	$(BIN)/python -m lab fuzz all --minutes "$(MINUTES)"

docs: install
	$(BIN)/python -m sphinx -W --keep-going -q -E -d build/doctrees docs build/docs
	@echo "build/docs/index.html"

reference: install
	$(BIN)/python -m lab.reference

bench: install
	$(BIN)/python -m lab.benchmarks.crawl_cost
	$(BIN)/python -m lab.benchmarks.memory --pages 3000

datasets: install
	$(BIN)/python -m lab datasets fetch webkb wikispeedia --out "$(DATASETS)"

reproduce-webkb: install
	$(BIN)/python -m lab.benchmarks.reproduce_webkb "$(WEBKB)"

# Without rl_spider, which needs a trained model.
compare: install
	for layout in subject article; do \
	    $(BIN)/python -m lab datasets topics "$(WIKISPEEDIA)" --layout $$layout --out data/compare/topics-$$layout || exit; \
	    $(BIN)/python -m lab experiment --strategies "$(COMPARED)" --topics data/compare/topics-$$layout --pages $(COMPARED_PAGES) \
	        --out data/compare/$$layout "$(WIKISPEEDIA)" || exit; \
	done

compare-docs: install
	$(BIN)/python -m lab datasets topics "$(DOCS_TOPICS)" --web "$(DOCS_WEB)" --nofollow $(DOCS_NOFOLLOW) --out "$(DOCS_OUT)/topics"
	$(BIN)/python -m lab experiment --strategies "$(DOCS_STRATEGIES)" --topics "$(DOCS_OUT)/topics" --pages $(DOCS_PAGES) --repeats 1 $(DOCS_NETWORK) \
	    --out "$(DOCS_OUT)/results" "$(DOCS_WEB)"

# Begun at the home page of a site, which they do not leave: one topic of it each.
compare-short: install
	$(BIN)/python -m lab datasets topics "$(DOCS_TOPICS)" --web "$(DOCS_WEB)" --nofollow ignore --seeds sites --out "$(SHORT_OUT)/topics"
	for pages in 12 25 50; do \
	    $(BIN)/python -m lab experiment --strategies "$(SHORT_STRATEGIES)" --topics "$(SHORT_OUT)/topics" --pages $$pages --in-flight 1 --delay 0 \
	        --out "$(SHORT_OUT)/$$pages" "$(DOCS_WEB)" || exit; \
	done

# From development topics only; no label is read.
models: install datasets
	$(BIN)/scrapy train demo classifier --web demo --good solar $(DEMO_HELD_OUT:%=--without %)
	$(BIN)/python -m lab train english space --web "$(WIKISPEEDIA)" --set best=0 --set terms=20000 --set least=5 --licence "$(ENGLISH_LICENCE)"
	$(BIN)/python -m lab datasets topics "$(WEBKB)" --out data/models/webkb
	$(BIN)/python -m lab datasets topics "$(WIKISPEEDIA)" --layout article --out data/models/wikispeedia
	test ! -e "$(DOCS_WEB)" || $(BIN)/python -m lab datasets topics "$(DOCS_TOPICS)" --web "$(DOCS_WEB)" --nofollow $(DOCS_NOFOLLOW) --out data/models/docs
	set --; test ! -e "$(DOCS_WEB)" || set -- --bed "$(DOCS_WEB)" data/models/docs; \
	$(BIN)/python -m lab.benchmarks.link_weights --bed "$(WEBKB)" data/models/webkb --bed "$(WIKISPEEDIA)" data/models/wikispeedia \
	    "$$@" $(MODELS_BEDS) --out "$(MODELS_OUT)"

rivals: build/rivals/bytecrawl/.installed build/rivals/crawl4ai/.installed build/rivals/crawlee/.installed

compare-rivals: install rivals
	$(BIN)/python -m lab datasets topics "$(DOCS_TOPICS)" --web "$(DOCS_WEB)" --nofollow ignore --out "$(RIVALS_OUT)/topics"
	$(BIN)/python -m lab.rivals "$(DOCS_WEB)" --topics "$(RIVALS_OUT)/topics" --pages $(RIVALS_PAGES) --out "$(RIVALS_OUT)/results" $(RIVALS)

# All rules together, in three orders: one request at a time and sixteen, on three webs. Then each rule alone, in one.
SHIELD = $(BIN)/python -m lab experiment lab/benchmarks/shield_cost.toml --repeats 3
ONE_BY_ONE = --in-flight 1 --delay 0

shield: install datasets
	$(BIN)/python -m lab datasets topics "$(DOCS_TOPICS)" --web "$(DOCS_WEB)" --nofollow ignore --out data/shield/topics
	$(BIN)/python -m lab datasets topics "$(WEBKB)" --out data/shield/webkb-topics
	$(SHIELD) --topics data/shield/topics $(ONE_BY_ONE) --out data/shield/docs-1 "$(DOCS_WEB)"
	$(SHIELD) --topics data/shield/topics --in-flight 16 --out data/shield/docs-16 "$(DOCS_WEB)"
	$(SHIELD) --topics 'data/shield/webkb-topics/[!w]*,data/shield/webkb-topics/wa*' --pages 400 $(ONE_BY_ONE) --out data/shield/webkb "$(WEBKB)"
	for layout in article subject; do \
	    $(BIN)/python -m lab datasets topics "$(WIKISPEEDIA)" --layout $$layout --out data/shield/wiki-$$layout-topics && \
	    $(SHIELD) --topics data/shield/wiki-$$layout-topics --pages 500 $(ONE_BY_ONE) --out data/shield/wiki-$$layout "$(WIKISPEEDIA)" || exit; \
	done
	$(BIN)/python -m lab experiment lab/benchmarks/shield.toml --topics data/shield/topics $(DOCS_NETWORK) --out data/shield/results "$(DOCS_WEB)"

traps: install
	$(BIN)/python -m lab.benchmarks.traps --out data/traps

# The inner "scrapy" is found through PATH.
crawl: .venv/.crawls
ifeq ($(TOPIC),demo)
	PATH="$$PWD/$(BIN):$$PATH" scrapy serve-web demo --latency 50 -- scrapy crawl topical -a topic=demo $(ARGS)
else
	PATH="$$PWD/$(BIN):$$PATH" scrapy crawl topical -a topic="$(TOPIC)" $(ARGS)
endif

bench-dashboard: install
	$(BIN)/python -m lab.benchmarks.dashboard

clean:
	rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find focused lab tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The pip that Python 3.11 and Debian 12 bring takes three times the CPU: it compares each file of an index with 900 tags.
.venv/.crawls: requirements.txt | $(BIN)/python
	@echo "Installing requirements.txt into .venv: this takes a few minutes the first time"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -r requirements.txt
	@touch $@

.venv/.installed: requirements-all.txt requirements-dev.txt | .venv/.crawls
	@echo "Installing requirements-all.txt and requirements-dev.txt into .venv"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -r requirements-all.txt -r requirements-dev.txt
	@touch $@

build/oldest/.installed: requirements-oldest.txt requirements-dev.txt
	rm -rf build/oldest
	python3.11 -m venv build/oldest
	grep -E '^(hypothesis|pytest)' requirements-dev.txt >build/oldest/tests.txt
	build/oldest/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-oldest.txt -r build/oldest/tests.txt
	@touch $@

build/mutation/.installed: requirements.txt requirements-all.txt requirements-dev.txt requirements-mutation.txt | $(BIN)/python
	rm -rf build/mutation/packages
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --target build/mutation/packages \
	    -c requirements-all.txt -c requirements-dev.txt -r requirements-mutation.txt
	@touch $@

# What rivals need must not come between what we need.
build/rivals/%/.installed: lab/rivals/%.txt | $(BIN)/python
	rm -rf build/rivals/$*
	$(BIN)/python -m venv build/rivals/$*
	build/rivals/$*/bin/python -m pip install --quiet --disable-pip-version-check -r lab/rivals/$*.txt
	@touch $@

# ensurepip is what Debian leaves out without its package python3-venv.
$(BIN)/python:
	@if [ -n "$$PYTHON" ]; then set -- "$$PYTHON"; else set -- python3.13 python3.12 python3.11 python3 python; fi; \
	incomplete=; \
	for python in "$$@"; do \
	    "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
	    "$$python" -c 'import ensurepip, venv' >/dev/null 2>&1 || { incomplete="$$python"; continue; }; \
	    echo "Creating .venv with $$("$$python" --version)"; \
	    "$$python" -m venv --clear .venv || { rm -rf .venv; exit 1; }; \
	    exit 0; \
	done; \
	if [ -n "$$incomplete" ]; then \
	    echo "make: $$incomplete cannot create .venv: its module ensurepip is missing." >&2; \
	    echo "On Debian and Ubuntu: apt-get install python3-venv" >&2; \
	else \
	    echo "make: no Python 3.11 or newer among: $$*" >&2; \
	    echo "Install one (on Debian 12 and later: apt-get install python3 python3-venv) or name it: make PYTHON=/path/to/python install" >&2; \
	fi; \
	exit 1
