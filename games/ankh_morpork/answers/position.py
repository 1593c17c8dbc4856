"""Answers to questions about a position, from a seat's view alone; and why some are not answered."""

from __future__ import annotations

from games.ankh_morpork.answers import goals, hand, holdings, places, secrets, standing
from games.ankh_morpork.answers.city import City
from games.ankh_morpork.answers.forms import FORMS
from games.ankh_morpork.answers.reading import read
from pbem.protocol import Asked, Finding, Untold, View

#: The modules whose forms are tried, in this order.
PARTS = (places, standing, holdings, goals, hand)


def finding(question: Asked, view: View) -> Finding | None:
    """What the view of a seat says about a question; None for one of no form, or with a word that nothing explains."""
    said = read(question)
    if view["private"] is None:
        return None
    city, concepts = City(view), frozenset(said.concepts)
    fitting = (form for form in FORMS if not said.unread and form.fits(concepts))
    return next((found for form in fitting if (found := form.answer(city, said))), None) or hand.what_with(city, said)


def untold(question: Asked) -> Untold | None:
    """Why a question is not answered: it asks for what is hidden."""
    return secrets.asked_for(read(question))
