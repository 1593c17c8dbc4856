"""A typed line to the orders in it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest


@pytest.mark.parametrize("mark", ["؛ ", "；", "。", "、", "। ", "፤ ", "، ", "· ", "‖ ", "; ", ". "])
def test_marks_of_every_script_part_orders(post: SimpleNamespace, mark: str) -> None:
    found = post.read(mark.join(post.orders)).orders
    assert found == post.orders


@pytest.mark.parametrize("mark", ["؛ ", "；", "; "])
def test_a_semicolon_of_any_script_parts_numbers(post: SimpleNamespace, mark: str) -> None:
    assert post.read(f"2{mark}14").orders == ("2", "14")


@pytest.mark.parametrize("mark", [" – ", " → ", "’ ", " ☞ "])
def test_other_signs_part_no_orders(post: SimpleNamespace, mark: str) -> None:
    assert len(post.read(f"play Mr Boggis{mark}minion The Hippo").orders) == 1


@pytest.mark.parametrize("amount", ["$5", "(5", "#x5", "-£5"])
def test_an_amount_is_no_number_of_a_list(post: SimpleNamespace, amount: str) -> None:
    assert post.read(amount).orders == ()


@pytest.mark.parametrize(("marks", "orders"), [(4, ("play A",)), (5, ())])
def test_four_list_marks_stand_one_behind_the_other(post: SimpleNamespace, marks: int, orders: tuple[str, ...]) -> None:
    assert post.read("1. " * marks + "play A").orders == orders
