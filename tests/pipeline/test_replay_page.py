"""A game that is over as a page to look through: what it holds, who gets it, and that names in it do nothing."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from sqlalchemy import text

from pbem.errors import ReplayMismatch
from pbem.play.course import written_page
from pbem.play.replay import repeat
from pbem.protocol import HasDrawing, Piece
from pbem.reports.contexts import Moment
from pbem.reports.page import pieces

DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)
SEED = b"\4" * 32


def data_of(html: str) -> dict[str, Any]:
    """What the page's script draws from."""
    found = DATA.search(html)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def bots_play(world: Any, game: str = "ankh_morpork", **settings: Any) -> str:
    """A whole game of two bots; its page."""
    world.seat((), SEED, 2, game, **settings)
    return written_page(world.store, world.game.code).html


def test_the_page_shows_after_every_turn_what_stood_there(world: Any) -> None:
    data = data_of(bots_play(world))
    rules = world.table.rules
    assert isinstance(rules, HasDrawing)
    match = rules.new(2, SEED, {})
    views = {0: match.view(None)}
    for choice in (choice for version in world.chain() for choice in version.added):
        turn = match.turn
        repeat(match, choice)
        views |= dict.fromkeys(range(turn, match.turn), match.view(None))
    views[match.turn] = match.view(None)
    shown = [
        [(data["plots"][plot]["name"], data["sprites"][sprite]["words"]) for plot, sprite in standing]
        for standing in data["standing"]
    ]
    assert len(shown) == len(views) == match.turn + 1
    for turn, view in views.items():
        assert shown[turn] == [(piece.area, words_of(piece)) for piece in rules.drawing(view).pieces]


def words_of(piece: Piece) -> str:
    """What a list in words says of a piece."""
    many = f"{piece.count} {piece.colour} {piece.kind}{'s' if piece.count > 1 else ''}"
    counted = f"{piece.count} {piece.kind}{'s' if piece.count > 1 else ''}"
    return {"minion": many, "building": f"{piece.colour}'s building", "trouble": "trouble"}.get(piece.kind, counted)


def test_the_page_is_the_same_each_time_small_and_asks_nothing_of_the_net(world: Any) -> None:
    html = bots_play(world)
    assert written_page(world.store, world.game.code).html == html
    assert len(html.encode()) < 3_000 * (world.game.turn + 10)
    assert not re.search(r"(?:src|href)=|url\(|@import|https?://(?!www\.w3\.org/2000/svg)", html)
    assert html.count("<article") == world.game.turn + 1


def test_hands_and_personalities_are_shown_at_the_end_alone(world: Any) -> None:
    *before, last = bots_play(world).split("<article")
    assert "WHO WAS WHO" in last
    assert "IN HAND AT THE END" in last
    assert not any("WHO WAS WHO" in part or "IN HAND" in part for part in before)
    lines = re.findall(r'<polyline fill="none"[^>]*stroke-dasharray="([^"]*)" points="([^"]*)"', last)
    assert len({pattern for pattern, _ in lines}) == 2, "who was how near when, told by more than colour"
    assert [len(points.split()) for _, points in lines] == [len(before)] * 2


def test_a_game_without_a_drawing_shows_its_table(world: Any) -> None:
    html = bots_play(world, "goofspiel", rules={"cards": "5"})
    assert data_of(html) | {"styles": {}} == {"standing": [[]] * 6, "sprites": [], "plots": [], "styles": {}}
    assert html.count("THE TABLE") == html.count("<article") == 6
    assert "<svg" not in html


def finish(world: Any, **settings: Any) -> list[Any]:
    """A short game by mail, to its end."""
    people: list[Any] = world.start(2, game="goofspiel", rules={"cards": "5"}, **settings)
    while world.game.status == "running":
        assert world.whose().writes(world.orders()) == "applied"
    return people


def test_the_last_mail_carries_the_page_where_the_table_wants_it(world: Any) -> None:
    for person in finish(world, replay_page=True):
        (attached,) = person.newest.message.iter_attachments()
        page = written_page(world.store, world.game.code)
        assert (attached.get_filename(), attached.get_content()) == (page.name, page.html)
        assert f"The attached page, {page.name}," in person.newest.text


def test_the_last_mail_carries_nothing_unless_it_is_wanted(world: Any) -> None:
    for person in finish(world):
        assert [*person.newest.message.iter_attachments()] == []
        assert "replay.html" not in person.newest.text


def test_a_mail_with_the_page_is_sent_again_as_it_was(world: Any) -> None:
    ann, _ = finish(world, replay_page=True)
    first = ann.newest.message.as_bytes()
    with world.store.transaction() as tx:
        mail = next(mail for mail in tx.sent(game_id=world.game_id, limit=9) if mail.recipient == ann.address)
        tx.resend(mail.id, world.now)
    world.post()
    assert ann.newest.message.as_bytes() == first


@pytest.mark.parametrize("name", ["</script><script>alert(1)</script>", "<!--", "--></style>", "\"'&amp;\u2028"])
def test_a_name_breaks_neither_the_page_nor_its_script(world: Any, name: str) -> None:
    world.seat((), SEED, 2, "goofspiel", rules={"cards": "5"})
    plain = written_page(world.store, world.game.code).html
    with world.store.transaction() as tx:
        tx.reseat(world.game_id, 0, None, bot_name=name)
        tx.change_game(world.game_id, name=name)
    html = written_page(world.store, world.game.code).html
    assert data_of(html) == data_of(plain)
    assert re.findall(r"<[/!]?\w[\w-]*", html) == re.findall(r"<[/!]?\w[\w-]*", plain)


def test_the_end_of_a_game_that_no_longer_replays_is_read_from_its_versions(world: Any) -> None:
    world.start(2, bots=0)
    world.set_to("red* $8 is lord-rust holds groat, 4 | green $5 is lord-selachii holds 5 | Dimwell R2 | draw 6")
    while world.game.status == "running":
        world.play_turn()
    assert data_of(written_page(world.store, world.game.code).html)["standing"]


def test_two_pieces_of_a_kind_in_two_areas_are_drawn_alike() -> None:
    from games.ankh_morpork import GAME
    from games.ankh_morpork.match import Match

    view = Match.from_position("red* $8 holds groat | Dimwell R | Nap Hill R").view(None)
    moment = Moment(turn=1, actor="", view=view, drawing=GAME.drawing(view), goals=(), events=())
    sprites, standing = pieces([moment, moment])
    assert sprites == (Piece("", "minion", "Red", "disc", "R"),)
    assert standing == [[(7, 0), (11, 0)]] * 2


def test_a_game_that_cannot_be_told_again_ends_all_the_same(world: Any) -> None:
    people = world.start(2, game="goofspiel", rules={"cards": "5"}, replay_page=True)
    world.play_turn()
    with world.store.transaction() as tx:
        tx.connection.execute(text("UPDATE version SET digest = 'another' WHERE number = 1"))
    while world.game.status == "running":
        assert world.whose().writes(world.orders()) == "applied"
    for person in people:
        assert "the game is over" in person.newest.subject
        assert [*person.newest.message.iter_attachments()] == []
    with pytest.raises(ReplayMismatch, match="can no longer be played again; `pbem verify G001` says why"):
        written_page(world.store, world.game.code)
