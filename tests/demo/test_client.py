"""What a mail client finds in our mails, and how it answers them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.config import Mail
from pbem.demo.client import Bot, MailClient, Question, Received, question_in, read, written
from pbem.mail.wire.compose import compose

GOLDEN = Path(__file__).parents[1] / "golden"
MARKERS = ("==== ORDERS START ====", "==== ORDERS END ====")
MAIL = Received(
    subject="[G001] your move",
    text="Ann, it is your move.\n\n==== ORDERS START ====\n\n==== ORDERS END ====\n",
    message_id="<1@play.test>",
    reply_to="orders@play.test",
)
HTML = """
<h2>FOR YOUR EYES ONLY</h2> <a href="mailto:o@play.test?body=standing%20Igor%3A%20never">never</a>
<div id="asked"><h2>ANYTHING IN ANY LANGUAGE</h2>
<p>Groat: where do you place a
minion?</p>
<div><div>minion ...</div>
1 <a id="o1" href="mailto:o@play.test?subject=x&amp;body=minion%20Dimwell">Dimwell</a>,
3 <a id="o3" href="mailto:o@play.test?subject=x&amp;body=minion%20Isle%20of%20Gods">Isle of Gods</a></div>
<a href="mailto:o@play.test?body=a%3B%20b" style="display:block">a; b</a><a href="x" style="display:block">c; d</a>
<details><summary>or</summary> <a href="mailto:x">e</a>, <a href="mailto:y">f</a></details>
<div><a id="o2" href="mailto:o@play.test?subject=x&amp;body=give%20%241%2B"><small>2</small>&nbsp; give $1+</a></div>
</div>
<p>Thank you.</p>
"""


def test_a_question_is_found_by_its_marks_and_not_by_its_words() -> None:
    question = question_in(HTML)
    assert question == Question(
        text="ANYTHING IN ANY LANGUAGE\nGroat: where do you place a minion?\nminion ...\n"
        "1 Dimwell, 3 Isle of Gods\na; b\nc; d\nor e, f\n2 give $1+",
        options=("minion Dimwell", "give $1+", "minion Isle of Gods"),
        buried=False,
    )


def test_a_question_above_another_section_is_buried() -> None:
    question = question_in(HTML + "<h2>THE CITY</h2>")
    assert question is not None
    assert question.buried


def test_a_list_with_a_gap_is_no_list() -> None:
    question = question_in(HTML.replace('id="o1"', ""))
    assert question is not None
    assert question.options == ()


def golden(name: str) -> Received:
    """A mail of the golden ones, as its reader gets it."""
    return mailed(*((GOLDEN / f"{name}.{kind}").read_text(encoding="utf-8") for kind in ("txt", "html")))


def mailed(text: str, html: str) -> Received:
    """A mail of these words, as its reader gets it."""
    settings = Mail(address="orders@play.test", moderator="mod@play.test")
    known = {"to": "ann@play.test", "subject": "Your move", "text": text, "html": html, "message_id": "<1@play.test>"}
    return read(compose(settings, datetime(2026, 11, 30, tzinfo=UTC), **known, kind="report"))


def test_the_parts_of_a_mail_are_found_by_their_marks() -> None:
    mail = golden("report")
    assert mail.kind == "report"
    assert mail.head[0].startswith("Rosie, it is your move.")
    assert set(mail.sections) == {"yours", "story", "hand", "table"}
    assert mail.sections["hand"][0] == "Groat: minion"
    assert mail.map[0].startswith("  R2 two Red minions")
    assert mail.map[1].startswith("+-----")
    assert mail.map[-1].endswith("-----+")
    assert mail.inks["Red"] == mail.inks["[R]"] == "#ffffff on #c62828"
    assert mail.question
    assert "Reply above" not in mail.question.text


def test_a_section_ends_at_the_next_one_and_at_the_foot_of_the_mail() -> None:
    words = '<body><p>Hello.</p><h2 data-part="hand">YOURS</h2>1, 2<h2>MORE</h2>no<h2 data-part="table">ALL</h2>3'
    mail = mailed("", f'{words}<div data-part="foot">Or write here</div></body>')
    assert (mail.head, mail.sections) == (("Hello.",), {"hand": ("1, 2",), "table": ("3",)})


def test_a_mail_without_the_marks_asks_nothing() -> None:
    assert question_in("<h2>WHAT YOU MAY DO NOW</h2>") is None
    assert MAIL.options == ()


def test_the_options_of_a_report_are_found_in_their_order() -> None:
    question = question_in((GOLDEN / "report.html").read_text(encoding="utf-8"))
    assert question is not None
    assert question.options == ("play Groat", "play The Royal Mint", "play Nobby Nobbs", "use Nap Hill")


@pytest.mark.parametrize(
    ("habit", "begins"),
    [("above", "skip\n\nOn an earlier day"), ("bare", "skip\n"), ("numbers", "skip\n"), ("section", "> Ann, it is")],
)
def test_each_mail_program_writes_its_own_way(habit: str, begins: str) -> None:
    assert written(habit, ["skip"], MAIL, MARKERS).startswith(begins)


def test_orders_in_the_section_stand_between_the_markers() -> None:
    assert "> ==== ORDERS START ====\nskip\n>\n> ==== ORDERS END" in written("section", ["skip"], MAIL, MARKERS)


class Writer(Bot):
    """A bot whose client has a habit and nothing else."""

    def __init__(self, habit: str) -> None:
        client = MailClient.__new__(MailClient)
        client.habit = habit
        super().__init__(client, random.Random(1))


@pytest.mark.parametrize(
    ("habit", "options", "order"),
    [
        ("above", ("skip", "minion Dimwell"), "minion Dimwell"),
        ("numbers", ("skip", "minion Dimwell"), "2"),
        ("above", ("skip",), "skip"),
        ("above", (), "1"),
    ],
)
def test_a_bot_rather_does_something(habit: str, options: Sequence[str], order: str) -> None:
    assert Writer(habit).order(options) == order


def test_a_mail_is_read_as_its_program_shows_it() -> None:
    raw = (
        b"From: The Clacks <orders@play.test>\r\nReply-To: orders+N6JR3CVE@play.test\r\n"
        b"Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nMessage-ID: <1@play.test>\r\n"
        b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=C3=BC=C3=9Fe\r\n"
    )
    assert read(raw) == Received("Grüße", "Grüße\n", "<1@play.test>", "orders+N6JR3CVE@play.test")
