// The page of a score sheet: taps become entries, entries are kept on this device and joined with
// those of the server whenever there is a network.
"use strict";

const page = document.getElementById("score");
const facts = JSON.parse(page.dataset.sheet);
const words = JSON.parse(page.dataset.words);
const { id, key } = page.dataset;
const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
const form = $("#count");
const wire = $("#wire");
const STORED = `diloti score ${id}`;
const POLL = 4000; // milliseconds between two questions to the server while the page is seen
const PATIENCE = 10000; // milliseconds after which a network that says nothing is taken for none
const MOST_AT_ONCE = 20;

const say = (name, details = {}) =>
  words[name].replace(/\{(\w+)\}/g, (place, detail) => details[detail] ?? place);

// --- Entries, on this device --------------------------------------------------------------------

const entries = new Map(facts.entries.map((entry) => [entry.id, entry]));
let known = new Set(entries.keys()); // what the server has
let book = bookOf(entries.values(), facts);

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(STORED)) ?? {};
  } catch {
    return {};
  }
}
const stored = () => remembered().entries ?? [];

// Puts entries among those that are here; the server has the last word on what an entry is.
function take(more, isServer = false) {
  let isNew = false;
  for (const entry of more) {
    const own = entries.get(entry.id);
    if (own && !(isServer && JSON.stringify(own) !== JSON.stringify(entry))) continue;
    entries.set(entry.id, entry);
    isNew = true;
  }
  return isNew;
}

// Keeps all entries here, with those that another tab has kept meanwhile.
function keep() {
  take(stored());
  const title = `${sides().join(" – ")} · ${book.scores.join(" : ")}`;
  const old = remembered();
  const kept = {
    entries: [...entries.values()],
    known: [...known],
    key: key || old.key || "",
    title,
    changed: Date.now(),
  };
  try {
    localStorage.setItem(STORED, JSON.stringify(kept));
  } catch {
    /* a private window, or no room: the sheet lives in this page and on the server */
  }
}
const pending = () => (key ? [...entries.values()].filter((entry) => !known.has(entry.id)) : []).sort(later);

// What somebody writes here; it can be taken back as long as nobody else has changed it.
const steps = [];
function write(entry, replaced = null) {
  const whole = { id: newName(), time: nextTime(entry), ...entry };
  if (whole.deal === undefined && !whole.setup) whole.deal = whole.id;
  entries.set(whole.id, whole);
  refused.clear();
  changed();
  sync();
  return { deal: whole.deal, entry: whole.id, before: replaced?.count ?? null, replaced: replaced?.id };
}
// One more than the server can know; of what it refused only that which this entry is to follow counts.
function nextTime(next) {
  const about = (entry) => (entry.setup ? SETUP : entry.deal);
  const before = [...entries.values()].filter((one) => !refused.has(one.id) || about(one) === about(next));
  return 1 + Math.max(...before.map((entry) => entry.time));
}
function newName() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
const latest = (deal) => book.versions.get(deal).at(-1);
const canUndo = () => steps.some((step) => latest(step.deal).id === step.entry);

function undo() {
  while (steps.length) {
    const step = steps.pop();
    if (latest(step.deal).id !== step.entry) continue;
    const seen = book.versions.get(step.deal).length;
    const again = write({ deal: step.deal, seen, count: step.before });
    for (const older of steps) if (older.entry === step.replaced) older.entry = again.entry;
    break;
  }
  show();
}

// --- The server ----------------------------------------------------------------------------------

let running = null, // what is being asked now
  isWanted = false,
  tag = "",
  state = "", // "", "off" or "gone"
  reason = ""; // why an entry was not taken
const REFUSALS = [400, 413, 422]; // answers that will be the same the next time
const refused = new Set(); // entries that got one: they wait until another one is written
const unsent = () => pending().filter((entry) => !refused.has(entry.id));

// Sends what waits and asks for what is new; done when that has been answered, or could not be.
function sync() {
  isWanted = true;
  running ??= exchangeAll();
  return running;
}

async function exchangeAll() {
  try {
    while (isWanted || (!state && unsent().length)) {
      isWanted = false;
      await exchange();
    }
  } catch {
    state = "off";
  }
  running = null;
  tell();
}

// Others' entries come with the answer to ours, and are asked for where those were not taken.
async function exchange() {
  const sent = unsent().slice(0, MOST_AT_ONCE);
  state = "";
  if (sent.length && (await send(sent))) return;
  const trouble = state;
  await hear(await ask(`/score/${id}/entries`, { headers: tag ? { "if-none-match": tag } : {} }));
  state ||= trouble;
}

const ask = (path, options) =>
  fetch(path, { cache: "no-store", signal: AbortSignal.timeout?.(PATIENCE), ...options });

// Whether entries were taken; where one of several was not, the others may be taken by themselves.
async function send(sent) {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(sent);
  const answer = await ask(`/score/${id}/${key}/entries`, { method: "POST", headers, body });
  if (!REFUSALS.includes(answer.status)) return hear(answer);
  let isTaken = false;
  if (sent.length > 1) {
    for (const entry of sent) if (!state) isTaken = await send([entry]);
  } else {
    refused.add(sent[0].id);
    reason = (await answer.json().catch(() => ({}))).message ?? answer.status;
  }
  return isTaken;
}

// What an answer says; whether it has the entries of the sheet.
async function hear(answer) {
  if (answer.status === 404) state = "gone";
  else state = answer.ok || answer.status === 304 ? "" : "off";
  if (!answer.ok) return false;
  const told = await answer.json();
  tag = answer.headers.get("etag") ?? "";
  known = new Set(told.entries.map((entry) => entry.id));
  if (take(told.entries, true)) changed();
  else keep();
  return true;
}

// How it stands with the server, for whoever looks.
function tell() {
  const waiting = pending();
  let text = "";
  if (state === "gone") text = words.gone;
  else if (state === "off") text = waiting.length ? say("waiting", { count: waiting.length }) : words.quiet;
  else if (waiting.some((entry) => refused.has(entry.id))) text = say("refused", { reason });
  if (wire.textContent !== text) wire.textContent = text;
  wire.hidden = !text;
}

setInterval(() => {
  if (!document.hidden || unsent().length) sync();
}, POLL);
addEventListener("online", sync);
addEventListener("offline", () => ((state = "off"), tell()));
addEventListener("focus", sync);
addEventListener("pageshow", (event) => event.persisted && sync());
document.addEventListener("visibilitychange", () => document.hidden || sync());
addEventListener("storage", (event) => {
  if (event.key === STORED && take(stored())) changed();
});

// --- What is shown -----------------------------------------------------------------------------------

function names() {
  return book.setup.names.map((name, seat) => name || say("player", { letter: facts.letters[seat] }));
}
function sides() {
  const all = names();
  if (all.length === 2) return all;
  return [0, 1].map((side) => say("both", { first: all[side], second: all[side + 2] }));
}
const pair = (numbers) => numbers.join(":");
const holder = (side) => pair([Number(side === 0), Number(side === 1)]);
function tellCount(count) {
  if (!count) return words.taken_away;
  const { cards, aces, ten, two, xeri, xeristaki } = count;
  return say(sum(xeristaki) ? "counted_more" : "counted", {
    cards: pair(cards),
    aces: pair(aces),
    ten: holder(ten),
    two: holder(two),
    xeri: pair(xeri),
    xeristaki: pair(xeristaki),
  });
}
function tellCheck(shared, points) {
  return say("shared", { shared, xeri: sum(points) - shared, sum: sum(points) });
}

function changed() {
  book = bookOf(entries.values(), facts);
  keep();
  book = bookOf(entries.values(), facts); // another tab may have kept some
  show();
}

function fill(element, text) {
  if (element && element.textContent !== String(text)) element.textContent = text;
}

function show() {
  const both = sides();
  for (const element of $$("[data-side]")) fill(element, both[element.dataset.side]);
  for (const element of $$("[data-label]"))
    element.ariaLabel = element.dataset.label.replace("{name}", both[element.dataset.of]);
  for (const element of $$("[data-total]")) fill(element, book.scores[element.dataset.total]);
  const base = facts.bases[book.setup.rules.base];
  const isChanged = Object.keys(book.setup.rules).some((name) => !["base", "players"].includes(name));
  fill(
    $("#title"),
    say("title", { rules: isChanged ? base.changed_name : base.name, target: book.rules.target }),
  );
  const winner = both[book.winner];
  const won = { name: winner, names: winner };
  const number = book.rows.length + 1;
  fill(
    $("#next"),
    book.winner === null
      ? say("next", { number, name: names()[book.nextDealer] })
      : say(`won_${book.rules.players}`, won),
  );
  $("#next").classList.toggle("won", book.winner !== null);
  $("#again").hidden = book.winner === null;
  for (const [name, value] of Object.entries({
    dealer: book.nextDealer,
    target: book.rules.target,
    xeri_points: book.rules.xeri_points,
    xeristaki_points: book.rules.xeristaki_points,
  }))
    $("#again").elements[name].value = value;
  for (const [seat, name] of book.setup.names.entries()) $("#again").elements[`name${seat}`].value = name;
  showRows();
  if (form) {
    form.hidden = book.winner !== null && !form.elements.deal.value;
    $("#has-xeristaki").hidden = !book.rules.xeristaki_points;
    $("#undo").hidden = !canUndo();
    preview();
  }
  tell();
}

let shown = "";
function showRows() {
  const state = JSON.stringify([book.rows, names()]);
  if (state === shown) return;
  shown = state;
  const body = $("#deals tbody");
  const open = $$("details[open]", body).map((one) => one.closest("tr").previousElementSibling.dataset.deal);
  const active = document.activeElement;
  const focused = body.contains(active) && [active.closest("form")?.elements.deal.value, active.className];
  body.replaceChildren(...[...book.rows].reverse().flatMap((row) => rowOf(row, open)));
  $("#none").hidden = book.rows.length > 0;
  $("#deals").hidden = !book.rows.length;
  if (focused)
    $$("form", body)
      .find((one) => one.elements.deal.value === focused[0])
      ?.getElementsByClassName(focused[1])[0]
      ?.focus();
}

function rowOf(row, open) {
  const fresh = $("#row").content.cloneNode(true);
  const [line, more] = $$("tr", fresh);
  const { number } = row;
  line.dataset.deal = row.deal;
  $("th", line).textContent = number;
  $$("td", line).forEach((cell, side) => {
    $("b", cell).textContent = row.totals[side];
    $("small", cell).textContent = `+${row.points[side]}`;
  });
  $(".dealt", more).textContent = say("dealt", { number, name: names()[row.dealer] });
  $(".counted", more).textContent = tellCount(row.count);
  $(".check", more).textContent = tellCheck(row.shared, row.points);
  const notes = [
    ...(row.isCounted ? [] : [words.not_counted]),
    ...(row.isDoubtful ? [words.doubtful] : []),
    ...row.rivals.map((entry) => say("rival", { count: tellCount(entry.count) })),
  ];
  $(".notes", more).replaceChildren(
    ...notes.map((text) =>
      Object.assign(document.createElement("p"), { className: "note", textContent: text }),
    ),
  );
  const earlier = row.versions.slice(0, -1);
  $(".earlier", more).hidden = !earlier.length;
  $(".earlier", more).open = open.includes(row.deal);
  $(".earlier ul", more).replaceChildren(
    ...earlier.map((entry) =>
      Object.assign(document.createElement("li"), { textContent: tellCount(entry.count) }),
    ),
  );
  const acts = $(".acts", more);
  if (acts) {
    acts.elements.deal.value = row.deal;
    $(".correct", acts).href = `?deal=${row.deal}#count`;
    $(".correct", acts).ariaLabel = say("correct", { number });
    $(".remove", acts).ariaLabel = say("remove", { number });
    $(".remove", acts).hidden = !row.mayRemove;
  }
  return [line, more];
}

// --- The form ------------------------------------------------------------------------------------------

const number = (text) => (/^\d{1,2}$/.test(text) ? Number(text) : null);
const chosen = (name) => {
  const { value } = form.elements[name];
  return value === "" ? null : Number(value);
};

// The count that is entered; a name of what is missing instead, where something is.
function entered() {
  if (form.elements.nothing?.checked) return NOTHING;
  const cards = [number(form.elements.cards0.value), number(form.elements.cards1.value)];
  if (cards[0] === null || cards[1] === null) return "no_cards";
  const aces = chosen("aces");
  if (aces === null) return "no_aces";
  const has = Boolean(book.rules.xeristaki_points);
  const two = (name) => [0, 1].map((side) => number(form.elements[name + side].value) ?? 0);
  return {
    cards,
    aces: [aces, facts.pack.aces - aces],
    ten: chosen("ten"),
    two: chosen("two"),
    xeri: two("xeri"),
    xeristaki: has ? two("xeristaki") : [0, 0],
  };
}

function refusalText(count) {
  if (typeof count === "string") return words[count];
  const refusal = refusalOf(count, book.rules, facts);
  return refusal ? say(`refusal_${refusal.name}`, { ...refusal, name: sides()[refusal.side] ?? "" }) : "";
}

let before = null; // the deals that had been entered when somebody began to fill the form in
function preview() {
  const count = entered();
  const isGood = typeof count !== "string" && !refusalOf(count, book.rules, facts);
  let points = "",
    check = "";
  if (isGood) {
    const parts = pointsOf(count, book.rules, facts);
    const [a, b] = parts.map((part) => part.shared + part.xeri);
    const [first, second] = sides();
    points = say("standing", { first, a, b, second });
    check = tellCheck(parts[0].shared + parts[1].shared, [a, b]);
  }
  fill($("#points"), points);
  fill($("#check"), check);
  const late = before && !form.elements.deal.value && book.rows.filter((row) => !before.has(row.deal)).at(-1);
  $("#meanwhile").hidden = !late;
  if (late) fill($("#meanwhile"), say("meanwhile", { number: late.number }));
}

// A side's cards are what the other has not.
function balance(input) {
  if (!input.name.startsWith("cards")) return;
  const other = form.elements[input.name === "cards0" ? "cards1" : "cards0"];
  const cards = number(input.value);
  other.value = cards === null ? "" : Math.max(0, facts.pack.cards - cards);
}

function touch() {
  if (!before && !form.elements.deal.value) form.elements.seen.value = book.entered;
  before ??= new Set(book.versions.keys());
  $("#refusal").hidden = true;
  preview();
}

function step(button) {
  const input = $("input", button.parentElement);
  const isCards = input.name.startsWith("cards");
  const most = isCards ? facts.pack.cards : facts.pack.most_xeri;
  const from = number(input.value) ?? Number(input.placeholder);
  input.value = Math.min(most, Math.max(0, from + Number(button.dataset.step)));
  balance(input);
  touch();
}

function reset() {
  form.reset();
  for (const input of $$("input[type=number]", form)) input.value = input.name.startsWith("cards") ? "" : 0;
  for (const input of $$("input[type=radio], input[type=checkbox]", form)) input.checked = false;
  form.elements.deal.value = "";
  form.elements.seen.value = book.entered;
  before = null;
  $("#refusal").hidden = true;
  $("#cancel").hidden = true;
  fill($("#enter"), words.enter);
  fill($("#count-title"), words.what);
  if (location.search) history.replaceState(null, "", location.pathname);
}

// The form with an old deal, to be corrected.
function correct(deal) {
  const row = book.rows.find((one) => one.deal === deal);
  if (!row) return;
  reset();
  const { count } = row;
  for (const side of [0, 1]) {
    form.elements[`cards${side}`].value = count.cards[side];
    form.elements[`xeri${side}`].value = count.xeri[side];
    form.elements[`xeristaki${side}`].value = count.xeristaki[side];
  }
  if (isNothing(count)) {
    if (form.elements.nothing) form.elements.nothing.checked = true;
  } else {
    form.elements.aces.value = count.aces[0];
    form.elements.ten.value = count.ten;
    form.elements.two.value = count.two;
  }
  form.elements.deal.value = deal;
  form.elements.seen.value = row.versions.length;
  fill($("#enter"), words.save);
  fill($("#count-title"), say("correcting", { number: row.number }));
  $("#cancel").hidden = false;
  show();
  $("#count-title").focus();
  form.scrollIntoView({ block: "start" });
}

function enter() {
  const count = entered(),
    refusal = refusalText(count);
  fill($("#refusal"), refusal);
  $("#refusal").hidden = !refusal;
  if (refusal) return;
  const deal = form.elements.deal.value,
    seen = Number(form.elements.seen.value);
  steps.push(deal ? write({ deal, seen, count }, latest(deal)) : write({ seen, count }));
  reset();
  show();
  $("#next").scrollIntoView({ block: "center" });
}

function setUp(elements) {
  const base = facts.bases[book.setup.rules.base];
  const rules = { ...book.setup.rules };
  for (const name of ["target", "xeri_points", "xeristaki_points"]) {
    delete rules[name];
    if (Number(elements[name].value) !== base[name]) rules[name] = Number(elements[name].value);
  }
  const whole = (seat) => [...elements[`name${seat}`].value.trim()]; // no half of a character is cut off
  const names = book.setup.names.map((_, seat) => whole(seat).slice(0, MOST_NAME).join(""));
  const seen = [...entries.values()].filter((entry) => entry.setup).length;
  write({ seen, setup: { names, rules, dealer: Number(elements.dealer.value) } });
  $("details.setup").open = false;
}

if (form) {
  form.noValidate = true;
  form.addEventListener("input", (event) => {
    balance(event.target);
    touch();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    enter();
  });
  $("#setup").addEventListener("submit", (event) => {
    event.preventDefault();
    setUp(event.target.elements);
  });
  $("#undo").addEventListener("click", undo);
  $("#cancel").addEventListener("click", (event) => {
    event.preventDefault();
    reset();
    show();
  });
  $("#even").addEventListener("click", () => {
    form.elements.cards0.value = facts.pack.cards / 2;
    balance(form.elements.cards0);
    touch();
  });
  $("#deals").addEventListener("click", (event) => {
    const link = event.target.closest(".correct, .remove");
    if (!link) return;
    event.preventDefault();
    const deal = link.closest("form").elements.deal.value;
    if (link.matches(".correct")) return correct(deal);
    const seen = book.versions.get(deal).length;
    steps.push(write({ deal, seen, count: null }, latest(deal)));
    show();
  });
  // A step for a tap, and more for a finger that stays.
  let holding, wasHeld;
  const release = () => clearTimeout(holding);
  for (const button of $$("[data-step]", form)) {
    button.addEventListener("click", () => wasHeld || step(button));
    button.addEventListener("keydown", () => (wasHeld = false));
    button.addEventListener("pointerdown", () => {
      wasHeld = false;
      const again = (pause) => {
        holding = setTimeout(() => {
          wasHeld = true;
          step(button);
          again(90);
        }, pause);
      };
      again(450);
    });
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) button.addEventListener(name, release);
    button.addEventListener("contextmenu", (event) => event.preventDefault());
  }
}

// --- Sharing ---------------------------------------------------------------------------------------------

const address = (link) => new URL(link.value, location.href).href;
for (const link of $$("input[readonly]", page)) link.value = address(link);
for (const button of $$("[data-copy]", page)) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(address(document.getElementById(button.dataset.copy)));
    button.textContent = "✓";
  });
}
$("#print").hidden = false;
$("#print").addEventListener("click", () => print());
$("#send").hidden = !navigator.share;
$("#send").addEventListener("click", () => {
  const [first, second] = sides();
  const [a, b] = book.scores;
  const text = say("message", { title: $("#title").textContent, first, second, a, b });
  navigator.share({ text, url: address($("#look-link")) }).catch(() => {});
});

for (const name of remembered().known ?? []) known.add(name); // the page may be an old one
take(stored());
changed();
sync();
if (key && navigator.serviceWorker) navigator.serviceWorker.register("/score/worker.js").catch(() => {});
