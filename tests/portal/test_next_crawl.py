"""A portal follows the next crawl: new pages come, changed ones are read again, gone ones disappear."""

from pathlib import Path

from focused.collection.collection import opened
from focused.desk.news.letter import page_news
from focused.desk.portal.entry import key_of
from focused.desk.portal.publishing import PortalWish, publish
from tests.news.later_crawl import first_crawl, later_crawl
from tests.portal.test_site import files


def test_the_site_follows_the_crawl(tmp_path: Path) -> None:
    folder, wish = tmp_path / "test", PortalWish(tmp_path / "site", "test")
    first_crawl(folder)
    publish(folder, wish, lambda *_: None)
    before = {name: file for name, file in files(wish.out).items() if name.startswith("p/")}
    with opened(folder) as store:
        seen = store.committed
    later_crawl(folder)
    publish(folder, wish, lambda *_: None)
    after = {name: file for name, file in files(wish.out).items() if name.startswith("p/")}
    with opened(folder) as store:
        news = page_news(store, seen, store.committed)
    new, changed, gone = ({f"p/{key_of(one.url)}.html" for one in news[kind]} for kind in ("new", "changed", "gone"))
    assert all((new, changed, gone))
    assert gone <= set(before) - set(after)
    assert new <= set(after) - set(before)
    both = changed & set(before) & set(after)
    assert both
    assert all(before[name][1] != after[name][1] for name in both)


def test_addresses_in_the_search_stay(tmp_path: Path) -> None:
    """An entry keeps its number, or each refresh would write the whole index."""
    folder, wish = tmp_path / "test", PortalWish(tmp_path / "site", "test")
    first_crawl(folder)
    publish(folder, wish, lambda *_: None)
    before = (wish.out / "s" / "t0.js").read_text()
    keys = [row.partition('"')[2].partition('"')[0] for row in before.split("[[", 1)[1].split("],[")]
    later_crawl(folder)
    publish(folder, wish, lambda *_: None)
    after = (wish.out / "s" / "t0.js").read_text()
    kept = [key for key in keys if f'"{key}"' in after]
    assert kept
    assert all(f'[{keys.index(key)},"{key}"' in after for key in kept)
