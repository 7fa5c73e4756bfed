"""What a paper claims, tested on figures of ours."""

from __future__ import annotations

from lab.figures.figure import Claim, claims_table, means_table

HIGH = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.9}
LOW = {"a": 0.1, "b": 0.2, "c": 0.1, "d": 0.2}


def last_cells(*claims: Claim) -> list[str]:
    return [line.strip("| ").rpartition("|")[2].strip() for line in claims_table(claims)[2:-1]]


def test_a_claim_holds_or_its_opposite_or_neither_can_be_seen() -> None:
    assert last_cells(
        Claim("better", "p = .01", HIGH, LOW),
        Claim("worse", "", LOW, HIGH),
        Claim("the same", "", HIGH, HIGH),
        Claim("one topic", "", {"a": 1.0}, {"a": 0.0}),
    ) == ["yes", "the opposite", "no difference seen", "too few topics"]


def test_the_difference_stands_beside_what_is_printed() -> None:
    (row,) = claims_table([Claim("better", "p = .01", HIGH, LOW)])[2:-1]
    assert row.startswith("| better         | p = .01       | +0.675 ± 0.048")


def test_means_have_a_row_for_each_name_and_a_dash_where_there_is_none() -> None:
    lines = means_table("crawler", {"recall": {"dom": HIGH, "random": {"a": 0.5}}, "precision": {"dom": LOW}})
    assert [line.split("|")[1:4] for line in lines[2:-1]] == [
        [" dom     ", " 0.825 ± 0.048 ", " 0.150 ± 0.029 "],
        [" random  ", " 0.500         ", " -             "],
    ]
