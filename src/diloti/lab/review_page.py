"""The review of a match as one file for a browser: no script, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from diloti.core.cards import cards_in
from diloti.core.match import Match
from diloti.core.position import Pile
from diloti.core.view import View
from diloti.lab.review_style import STYLE
from diloti.teacher.explaining import tell_judged, tell_reason
from diloti.teacher.judgement import JudgedPlay
from diloti.teacher.marks import MARKS
from diloti.teacher.review import DealReview, MatchReview, Moment, turns_of
from diloti.teacher.review_chart import chart
from diloti.words import Words
from diloti.words.cards import card_name, rank_sign
from diloti.words.numbers import percent
from diloti.words.plays import describe_pile
from diloti.words.review import (
    tell_accuracy,
    tell_better,
    tell_candidate,
    tell_cut,
    tell_marks,
    tell_source,
)
from diloti.words.telling import capitalized, rule_set_name, seat_names, side_name, tell_play

_SUITS = "♣♦♥♠"
_TEXT_STYLE = "\N{VARIATION SELECTOR-15}"
"""Keeps suit signs from being drawn as pictures."""


def review_page(words: Words, match: Match, review: MatchReview) -> str:
    """The whole page: the chart of chances, both sides, and every play with what its seat saw."""
    return "\n".join(_Page(words, match, review).lines()) + "\n"


class _Page:
    def __init__(self, words: Words, match: Match, review: MatchReview) -> None:
        self.words, self.match, self.review = words, match, review
        self.names = seat_names(words, match.names)
        self.sides = side_name(words, self.names, 0), side_name(words, self.names, 1)

    def lines(self) -> Iterator[str]:
        """The page from its first line to its last."""
        say, review = self.words.say, self.review
        first, second = self.sides
        title = escape(say("Review: {first} and {second}", first=first, second=second))
        yield "<!doctype html>"
        yield f'<html lang="{self.words.language}">'
        yield f'<head><meta charset="utf-8"><title>{title}</title>'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
        yield f"<style>{STYLE}</style></head>"
        yield f"<body><main><h1>{title}</h1>"
        score = " : ".join(map(str, review.scores))
        rules = rule_set_name(self.words, review.rules)
        yield _paragraph(say("{rules}, {score}", rules=rules, score=score))
        if review.is_cut:
            yield _paragraph(tell_cut(self.words))
        yield from self._chances()
        yield from self._summary()
        for number in range(len(review.deals)):
            yield from self._deal(number)
        yield "</main></body></html>"

    def _chances(self) -> Iterator[str]:
        say, review = self.words.say, self.review
        heading = say("Chance of {side} to win the match", side=self.sides[0])
        yield f"<section><h2>{escape(heading)}</h2>"
        yield '<div class="scroll" tabindex="0" role="group" aria-label="' + escape(heading) + '">'
        yield chart(self.words, review, self.sides)
        yield "</div>"
        yield _paragraph(
            say(
                "Circles are mistakes, squares are blunders: filled ones of {first},"
                " hollow ones of {second}.",
                first=self.sides[0],
                second=self.sides[1],
            )
        )
        yield "<table><thead><tr>"
        for cell in (
            capitalized(say("deal")),
            say("Points"),
            say("Chance of {side}", side=self.sides[0]),
        ):
            yield f'<th scope="col">{escape(cell)}</th>'
        yield "</tr></thead><tbody>"
        for number, deal in enumerate(review.deals, start=1):
            points = " : ".join(map(str, deal.points))
            yield f'<tr><th scope="row"><a href="#deal-{number}">{number}</a></th>'
            yield f"<td>{points}</td><td>{percent(self.words, deal.chance_after)}</td></tr>"
        yield "</tbody></table></section>"

    def _summary(self) -> Iterator[str]:
        words, review = self.words, self.review
        for name, side in zip(self.sides, review.sides):
            yield f"<section><h2>{escape(name)}</h2>"
            yield _paragraph(
                tell_accuracy(
                    words, name, accuracy=side.accuracy, loss=side.loss, decisions=side.decisions
                )
            )
            yield _paragraph(tell_marks(words, dict(zip(MARKS, side.marks))))
            yield from self._moments(words.say("Well played"), side.best_moments)
            yield from self._moments(words.say("Costly"), side.worst_moments)
            yield "</section>"
        heading = words.say("Luck and skill")
        yield f"<section><h2>{escape(heading)}</h2>"
        yield _paragraph(self._source(*review.deals))
        yield "</section>"

    def _moments(self, heading: str, moments: Sequence[Moment]) -> Iterator[str]:
        if not moments:
            return
        yield f"<h3>{escape(heading)}</h3><ul>"
        for moment in moments:
            judged = self.review.play_at(moment)
            text = self.words.say(
                "Deal {deal}, play {number}: {play}",
                deal=moment.deal + 1,
                number=moment.play + 1,
                play=tell_play(self.words, self.names[judged.seat], judged.play),
            )
            target = _anchor(moment.deal, moment.play)
            yield f'<li><a href="#{target}">{escape(text)}</a></li>'
        yield "</ul>"

    def _source(self, *deals: DealReview) -> str:
        """Where the lead of some deals came from."""
        return tell_source(
            self.words,
            self.sides[0],
            start=sum(deal.start for deal in deals),
            cards=sum(sum(deal.luck_of_cards) for deal in deals),
            unknown=sum(deal.luck_of_unknown for deal in deals),
            skill=(sum(deal.skill[0] for deal in deals), sum(deal.skill[1] for deal in deals)),
            result=sum(deal.result for deal in deals),
        )

    def _deal(self, number: int) -> Iterator[str]:
        deal = self.review.deals[number]
        heading = self.words.say("Deal {number}", number=number + 1)
        yield f'<section id="deal-{number + 1}"><h2>{escape(heading)}</h2>'
        points = " : ".join(map(str, deal.points))
        yield _paragraph(self.words.say("Points of this deal: {sides}", sides=points))
        yield _paragraph(self._source(deal))
        yield '<ol class="plays">'
        turns = turns_of(self.match.deals[number])
        for place, ((view, _play), judged) in enumerate(zip(turns, deal.plays)):
            yield from self._play(_anchor(number, place), view, judged)
        yield "</ol></section>"

    def _play(self, anchor: str, view: View, judged: JudgedPlay) -> Iterator[str]:
        words = self.words
        told = tell_play(words, self.names[judged.seat], judged.play)
        loss = tell_judged(words, judged)
        yield f'<li id="{anchor}" class="{judged.mark}"><details><summary>'
        yield f"<span>{escape(told)} <b>{escape(loss)}</b></span></summary>"
        yield from self._seen(view)
        if judged.best != judged.play:
            yield _paragraph(tell_better(words, judged.best, judged.best_points))
        reason = tell_reason(words, view, judged)
        if reason:
            said = words.say("Why, said to {name}:", name=self.names[judged.seat])
            yield _paragraph(f"{said} {reason}")
        if judged.is_decision:
            heading = words.say("Plays, and the lead that each is expected to bring")
            played = escape(words.say("played"))
            yield f"<h3>{escape(heading)}</h3><ul>"
            for candidate in judged.candidates:
                text = escape(tell_candidate(words, candidate.play, candidate.points or 0.0))
                if candidate.play == judged.play:
                    text = f"<strong>{text} – {played}</strong>"
                yield f"<li>{text}</li>"
            yield "</ul>"
        yield "</details></li>"

    def _seen(self, view: View) -> Iterator[str]:
        say = self.words.say
        heading = say("On the table")
        yield f"<h3>{escape(heading)}</h3>"
        yield '<div class="cards">' + self._cards(view.loose)
        for pile in view.piles:
            yield self._pile(pile)
        if not view.loose and not view.piles:
            yield escape(say("The table is empty."))
        hand = say("Hand of {name}", name=self.names[view.seat])
        yield f'</div><h3>{escape(hand)}</h3><div class="cards">{self._cards(view.hand)}</div>'

    def _pile(self, pile: Pile) -> str:
        label = escape(describe_pile(self.words, pile, self.names[pile.owner]))
        cards = f'<div class="cards">{self._cards(pile.cards)}</div>'
        return f"<figure>{cards}<figcaption>{label}</figcaption></figure>"

    def _cards(self, mask: int) -> str:
        return "".join(self._card(card) for card in cards_in(mask))

    def _card(self, card: int) -> str:
        name = escape(card_name(self.words, card))
        sign = _SUITS[card & 3] + _TEXT_STYLE
        colour = " red" if card & 3 in (1, 2) else ""
        return (
            f'<span class="card{colour}" role="img" aria-label="{name}">'
            f'<span aria-hidden="true">{rank_sign(card >> 2)}<br>{sign}</span></span>'
        )


def _anchor(deal: int, play: int) -> str:
    return f"play-{deal + 1}-{play + 1}"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"
