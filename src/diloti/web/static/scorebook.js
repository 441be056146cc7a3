// A score sheet: what its entries make of it. It counts with the points and names that the server
// gives, knows nothing of the page, and agrees with `diloti.scorebook` (the tests compare them).
"use strict";

const SETUP = ""; // the deal of entries that set names and rules
const MOST_NAME = 20;

const later = (one, other) => one.time - other.time || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
const sum = (pair) => pair[0] + pair[1];
const isNewDeal = (entry) => entry.deal === entry.id;
const isNothing = (count) => sum(count.cards) === 0;

const NOTHING = { cards: [0, 0], aces: [0, 0], ten: null, two: null, xeri: [0, 0], xeristaki: [0, 0] };

// --- What cannot be: a name, the side it is about, and numbers for the sentence; or null ----------

function refusalOf(count, rules, facts) {
  const { pack } = facts;
  if (isNothing(count) && rules.court_must_capture) return { name: "nobody", pack: pack.cards };
  if (sum(count.xeristaki) && !rules.xeristaki_points) return { name: "xeristaki" };
  if (isNothing(count)) {
    const isEmpty = count.ten === null && count.two === null && !sum(count.aces) && !sum(count.xeri);
    return isEmpty && !sum(count.xeristaki) ? null : { name: "nothing" };
  }
  for (const name of ["cards", "aces"]) {
    const [first, second] = count[name];
    if (first + second !== pack[name]) return { name, first, second, sum: first + second, pack: pack[name] };
  }
  for (const name of ["ten", "two"]) if (count[name] === null) return { name };
  for (const side of [0, 1]) {
    const refusal = impossibleFor(count, side);
    if (refusal) return refusal;
  }
  const most = Math.max(sum(count.xeri), sweeps(count, 0), sweeps(count, 1));
  return most > pack.most_xeri ? { name: "most", most: pack.most_xeri } : null;
}

const sweeps = (count, side) => count.xeri[side] + count.xeristaki[side];

function impossibleFor(count, side) {
  const cards = count.cards[side],
    aces = count.aces[side],
    xeri = sweeps(count, side),
    both = (count.ten === side) + (count.two === side),
    good = aces + both;
  if (cards === 1) return { name: "one", side };
  if (good > cards) return { name: "good", side, cards, good };
  if (2 * xeri > cards) return { name: "sweeps", side, cards, xeri };
  if (cards && cards === 2 * Math.max(1, xeri)) {
    // every capture took one card with another one of its rank, and nothing was left over
    if (aces % 2 || Math.floor(aces / 2) + both > cards / 2) return { name: "pairs", side, cards, xeri };
  }
  return null;
}

// --- Points ----------------------------------------------------------------------------------------

// The points of both sides without xeri, and for xeri.
function pointsOf(count, rules, facts) {
  const { points, pack } = facts;
  return [0, 1].map((side) => ({
    shared:
      (2 * count.cards[side] > pack.cards ? points.most : 0) +
      count.aces[side] * points.ace +
      (count.ten === side ? points.ten : 0) +
      (count.two === side ? points.two : 0),
    xeri: count.xeri[side] * rules.xeri_points + count.xeristaki[side] * rules.xeristaki_points,
  }));
}

function winnerOf(scores, rules) {
  if (Math.max(...scores) < rules.target || scores[0] === scores[1]) return null;
  return scores[0] > scores[1] ? 0 : 1;
}

// --- The sheet -------------------------------------------------------------------------------------

function bookOf(entries, facts) {
  const sorted = [...entries].sort(later);
  const setup = sorted.filter((entry) => entry.setup).at(-1).setup;
  const base = facts.bases[setup.rules.base];
  const rules = { ...base, ...setup.rules };
  const versions = new Map(sorted.filter(isNewDeal).map((entry) => [entry.id, []]));
  for (const entry of sorted) versions.get(entry.deal)?.push(entry);
  const live = [...versions.values()].filter((list) => list.at(-1).count);
  const places = live.map((list) => list[0].seen);
  const rows = [];
  let scores = [0, 0],
    winner = null;
  for (const [place, list] of live.entries()) {
    const last = list.at(-1),
      count = last.count,
      isCounted = winner === null,
      parts = pointsOf(count, rules, facts),
      points = parts.map((part) => part.shared + part.xeri);
    if (isCounted) {
      scores = scores.map((score, side) => score + points[side]);
      winner = winnerOf(scores, rules);
    }
    const isDoubtful = places.filter((seen) => seen === places[place]).length > 1;
    rows.push({
      deal: list[0].deal,
      number: place + 1,
      dealer: (setup.dealer + place) % rules.players,
      count,
      points,
      shared: parts[0].shared + parts[1].shared,
      totals: scores,
      isCounted,
      isDoubtful,
      versions: list,
      rivals: list.slice(1, -1).filter((entry) => list.length > 2 && entry.seen === last.seen),
      mayRemove: isDoubtful || place === live.length - 1,
    });
  }
  const next = (setup.dealer + live.length) % rules.players;
  // how many deals have been entered, those among them that were taken away since
  const entered = versions.size;
  return { setup, rules, rows, scores, winner, nextDealer: next, versions, entered };
}
