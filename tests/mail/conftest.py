"""Build a reply as a mail program would, and read it back."""

from __future__ import annotations

import base64
import textwrap
from collections.abc import Mapping
from html import escape
from types import SimpleNamespace

import pytest

from pbem.mail.reading.parse import parse_mail, without_report
from pbem.mail.reading.values import ParsedMail, ParseSettings

TOKEN = "7K2QM9TD"
OWN = "orders@play.example.org"
FROM_US = f"The Clacks Office <orders+{TOKEN}@play.example.org>"
ORDERS = ("play Mr Boggis", "minion The Hippo", "use Nap Hill", "end")
TYPED = "\n".join(ORDERS)

#: A report with everything that could be taken for orders: examples, broken sentences, headings, numbers.
REPORT = f"""\
THE CLACKS OFFICE - GAME G042 - TURN 7 REPORT
Seat: Red    Token: {TOKEN}

It is your turn. The deadline is Thursday 5 March 2026 at 20:00 UTC; after
that the turn passes and you keep your hand.

MAP
 No Area              Trouble  Building  Minions
  1 Dolly Sisters     -        Red       R2 B1
  2 Unreal Estate     -        -         G1
  3 Dragon's Landing  trouble  Blue      -
  6 The Hippo         -        Yellow    B2
 12 Nap Hill          trouble  -         R1 B1

YOUR HAND
 a) Mr Boggis            take $2 from each player; place a minion
 b) The Beggars' Guild   choose a player who gives you two cards
 e) Zorgo the Retro-phrenologist   exchange your personality

LAST TURN
 Blue played Hex and drew three cards.
 End of turn: nobody has won yet.

HOW TO SEND ORDERS
Reply to this message with one order on each line. A full turn is, for
example:

    play Rosie Palm
    minion Dimwell
    use Dolly Sisters
    end

Write at the top of your reply, or between the two lines below. If a card
lets you choose an area you may use Isle of Gods too.

==== ORDERS START ====

==== ORDERS END ====

Anything else you write is not read by the game. Good luck!
The Clacks Office - https://play.example.org/g042"""

#: The report as this program words it.
OUR_REPORT = """\
Rosie, it is your move. You are Red.
Answer by Tuesday 1 December, 20:00 CET (2 days 4 hours from now).

SINCE YOUR LAST REPORT
  7 Green   Played Mr Boggis: took $2 from Red, $2 from Blue. Placed a
            minion in Dimwell; trouble there now.

THE CITY                       R G B minions  [R] building  ! trouble
  +--------------------+--------------------+---------------------+
  | 12 Nap Hill     12 | 1 Dolly Sisters  6 | 3 Dragon's Land. 12 |
  |  R                 |  R G B           ! |  B [B]              |
  +-------------+------+------+-------------++--------------------+

FOR YOUR EYES ONLY
  Your hand
   1 Groat              minion
   2 The Royal Mint     building, $5

WHAT YOU MAY DO
  Play one card, do its symbols from left to right, use area cards when
  you like. One order a line. For instance
     use Nap Hill
     play The Royal Mint
     build Longwall
     end
  Write  help  for everything else,  card Groat  for a card.

  Tap an order in the HTML part, or write above, or fill in here:
==== ORDERS START ====

==== ORDERS END ===="""

SETTINGS = ParseSettings(
    own_addresses=(OWN,), words=frozenset(("play", "minion", "use", "end")), alone=frozenset(("end",))
)


def quoted(text: str, mark: str = "> ") -> str:
    """The text with a mark before each line."""
    return "\n".join((mark + line).rstrip() for line in text.splitlines())


def unwrapped(text: str) -> str:
    """The text as a client sends it that joins the lines of a paragraph."""
    return (
        text.replace("after\nthat", "after that")
        .replace("for\nexample", "for example")
        .replace("card\nlets", "card lets")
    )


def as_html(text: str) -> str:
    """Plain text as HTML lines."""
    return "<br>\n".join(escape(line).replace("  ", "&nbsp; ") for line in text.splitlines())


def mail(
    body: str | None = None,
    *,
    html: str | None = None,
    subject: str = f"Re: G042 turn 7: your report [{TOKEN}]",
    sender: str = "Ilse Brandt <ilse.brandt@example.net>",
    headers: Mapping[str, str] | None = None,
    content_type: str = 'text/plain; charset="utf-8"',
    extra: str = "",
) -> bytes:
    """The bytes of a reply; `extra` holds whole further parts, headers and all."""
    head = {
        "Return-Path": "<ilse.brandt@example.net>",
        "From": sender,
        "To": FROM_US,
        "Subject": subject,
        "Date": "Mon, 02 Mar 2026 10:07:00 +0000",
        "Message-ID": "<a.1@example.net>",
        "In-Reply-To": f"<g042-t7-{TOKEN.lower()}@play.example.org>",
        "MIME-Version": "1.0",
    }
    head.update(headers or {})
    parts = []
    if body is not None:
        parts.append((content_type, body))
    if html is not None:
        parts.append(('text/html; charset="utf-8"', html))
    lines = [f"{name}: {value}" for name, value in head.items() if value]
    if len(parts) == 1 and not extra:
        kind, text = parts[0]
        lines += [f"Content-Type: {kind}", "Content-Transfer-Encoding: base64", "", _base64(text)]
    else:
        kind = "mixed" if extra else "alternative"
        lines += [f'Content-Type: multipart/{kind}; boundary="=b="', ""]
        for part_type, text in parts:
            lines += ["--=b=", f"Content-Type: {part_type}", "Content-Transfer-Encoding: base64", "", _base64(text)]
        if extra:
            lines += [textwrap.dedent(extra).strip()]
        lines += ["--=b=--", ""]
    return "\r\n".join("\n".join(lines).splitlines()).encode() + b"\r\n"


def _base64(text: str) -> str:
    return base64.encodebytes(text.encode()).decode()


def read(*args: object, settings: ParseSettings = SETTINGS, sent: str = "", **named: object) -> ParsedMail:
    """Build a mail and read it, beside the report that it answers."""
    return without_report(parse_mail(mail(*args, **named), settings), sent)  # type: ignore[arg-type]


@pytest.fixture
def post() -> SimpleNamespace:
    """What tests of mail need: texts, and functions that quote, build and read."""
    return SimpleNamespace(
        token=TOKEN, own=OWN, from_us=FROM_US, orders=ORDERS, typed=TYPED, report=REPORT, our_report=OUR_REPORT,
        settings=SETTINGS, quoted=quoted, unwrapped=unwrapped, as_html=as_html, mail=mail, read=read,
    )  # fmt: skip
