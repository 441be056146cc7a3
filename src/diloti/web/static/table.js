// The table: shows the boards that come from the server one after the other, lets cards travel
// between them, and asks the server what a selection can mean. It knows no rule of the game.
"use strict";

const table = document.getElementById("table");
const live = document.getElementById("live");
const offline = document.getElementById("offline");
const message = document.getElementById("message");
const advice = document.getElementById("advice");
const address = `/table/${table.dataset.id}`;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
const board = () => $("#board");
const stateOf = (element) => Number(element.dataset.number);
const latest = () => stateOf(waiting.at(-1) ?? board());

// --- What is remembered in this browser ---------------------------------------

function remembered(name, otherwise) {
  try {
    return localStorage.getItem(name) ?? otherwise;
  } catch {
    return otherwise;
  }
}
function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    /* a private window */
  }
}
function pace() {
  return still.matches ? 0 : Number(remembered("pace", "900"));
}

for (const input of $$("#pace input")) {
  input.checked = input.value === remembered("pace", "900");
  input.addEventListener("change", () => remember("pace", input.value));
}
for (const [id, effect] of [
  ["sounds", () => {}],
  ["coach", () => {}],
  ["four-colours", (on) => document.body.classList.toggle("four", on)],
  [
    "notify",
    (on) => {
      if (on && "Notification" in window) Notification.requestPermission();
    },
  ],
]) {
  const box = document.getElementById(id);
  if (!box) continue;
  box.checked = remembered(id, "") === "yes";
  if (id !== "notify") effect(box.checked);
  box.addEventListener("change", () => {
    remember(id, box.checked ? "yes" : "");
    effect(box.checked);
  });
}
const menu = $("#menu");
const menuButton = $("#menu-button");
function openMenu(isOpen) {
  menu.hidden = !isOpen;
  menuButton.setAttribute("aria-expanded", String(isOpen));
}
menuButton.addEventListener("click", () => openMenu(menu.hidden));

// --- Sounds: two short notes, made here ----------------------------------------

let audio;
function sound(...notes) {
  if (remembered("sounds", "") !== "yes") return;
  audio ??= new AudioContext();
  notes.forEach((pitch, place) => {
    const tone = audio.createOscillator(),
      volume = audio.createGain();
    const start = audio.currentTime + place * 0.09;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.08, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.15);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.16);
  });
}

// --- Boards ---------------------------------------------------------------------

const waiting = [];
let showing = false;
const MOST_PAST = 8;
let past = []; // the boards since one's own last play

function arrive(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const fresh = holder.content.getElementById("board");
  if (!fresh) return;
  if (stateOf(fresh) <= latest()) return;
  waiting.push(fresh);
  if (!showing) showAll();
}

async function showAll() {
  showing = true;
  while (waiting.length) {
    const fresh = waiting.shift();
    const others = fresh.dataset.played !== board().dataset.played && !board().dataset.myTurn;
    show(fresh);
    const behind = waiting.length > 3;
    if (others && !behind && !document.hidden) await new Promise((done) => setTimeout(done, pace()));
  }
  showing = false;
}

function show(fresh) {
  const old = board();
  message.hidden = true;
  advice.replaceChildren();
  const isPlay = fresh.dataset.played !== old.dataset.played;
  const isOwn = $(".plays li:last-child", fresh)?.dataset.seat === $(".player.me", fresh)?.dataset.seat;
  const isNewDeal = fresh.dataset.deal !== old.dataset.deal;
  past = [...((isPlay && isOwn) || isNewDeal ? [] : past), old].slice(-MOST_PAST);
  const before = still.matches || document.hidden ? null : places(old);
  const focused = document.activeElement;
  old.replaceWith(fresh);
  keep(old, fresh);
  if (old.contains(focused)) {
    const same = focused.id && document.getElementById(focused.id);
    const next = "#sheet button, .hand:not(:disabled) input, summary";
    (same || $(next, fresh))?.focus({ preventScroll: true });
  }
  if (before) travel(before, fresh, old);
  if (isPlay) tell(fresh);
  callForTurn(fresh, old);
  dress(fresh);
}

// What was open stays open; what was selected stays so, and is asked about again.
function keep(old, fresh) {
  const open = $$("details[open]", old).map((details) => details.className);
  for (const details of $$("details", fresh)) {
    if (details.className && open.includes(details.className)) details.open = true;
  }
  if (!old.dataset.myTurn || !fresh.dataset.myTurn) return;
  for (const { id } of $$("input:checked", old)) {
    const input = document.getElementById(id);
    if (input) input.checked = true;
  }
  if ($("#play input:checked")) choose();
}

function tell(fresh) {
  live.textContent = fresh.dataset.announce ?? "";
  const isXeri = $(".notices.xeri", fresh);
  if (isXeri) $(".cloth", fresh).classList.add("celebrate");
  sound(...(isXeri ? [660, 880, 1100] : [330]));
}

function callForTurn(fresh, old) {
  const mine = Boolean(fresh.dataset.myTurn);
  document.title = (mine ? "● " + table.dataset.yourTurn + " · " : "") + plainTitle;
  if (mine && !old.dataset.myTurn) {
    sound(440, 550);
    if (
      document.hidden &&
      remembered("notify", "") === "yes" &&
      "Notification" in window &&
      Notification.permission === "granted"
    ) {
      new Notification(plainTitle, { body: table.dataset.yourTurn, tag: table.dataset.id });
    }
  }
}
const plainTitle = document.title;

// --- Cards that travel ------------------------------------------------------------

function places(root) {
  return new Map(
    $$("[data-card].card", root).map((card) => [
      card.dataset.card,
      { box: card.getBoundingClientRect(), card },
    ]),
  );
}

function travel(before, fresh, old) {
  const last = $$(".plays li", fresh).at(-1);
  const isNew =
    last && fresh.dataset.played !== old.dataset.played && fresh.dataset.deal === old.dataset.deal;
  const seat = isNew ? $(`.player[data-seat="${last.dataset.seat}"]`, fresh) : null;
  const home = (seat && ($(".backs", seat) ?? seat))?.getBoundingClientRect();
  for (const card of $$("[data-card].card", fresh)) {
    const known = before.get(card.dataset.card);
    const from = known?.box ?? (isNew && card.dataset.card === last.dataset.card ? home : null);
    before.delete(card.dataset.card);
    if (!from) continue;
    const to = card.getBoundingClientRect();
    const x = from.left + from.width / 2 - to.left - to.width / 2,
      y = from.top + from.height / 2 - to.top - to.height / 2;
    if (Math.hypot(x, y) > 2)
      card.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], {
        duration: 320,
        easing: "ease-out",
      });
  }
  if (!isNew || last.dataset.kind !== "capture" || !home) return;
  const gone = [last.dataset.card, ...last.dataset.used.split(" ")];
  const middle = $(".cloth", fresh)?.getBoundingClientRect();
  for (const name of gone) {
    const known = before.get(name);
    const box = known?.box ?? home;
    const ghost = (known?.card ?? faceOf(name, before))?.cloneNode(true);
    if (!ghost || !middle) continue;
    ghost.querySelector("input")?.remove();
    ghost.classList.add("flying");
    ghost.style.left = `${box.left}px`;
    ghost.style.top = `${box.top}px`;
    document.body.append(ghost);
    const stop =
      name === last.dataset.card
        ? [middle.left + middle.width / 2 - box.left - 20, middle.top + middle.height / 2 - box.top - 30]
        : [0, 0];
    const end = [home.left + home.width / 2 - box.left - box.width / 2, home.top - box.top];
    ghost
      .animate(
        [
          { transform: "none", opacity: 1 },
          { transform: `translate(${stop[0]}px, ${stop[1]}px)`, opacity: 1, offset: 0.45 },
          { transform: `translate(${stop[0]}px, ${stop[1]}px)`, opacity: 1, offset: 0.6 },
          { transform: `translate(${end[0]}px, ${end[1]}px) scale(.5)`, opacity: 0 },
        ],
        { duration: 700, easing: "ease-in-out" },
      )
      .finished.finally(() => ghost.remove());
  }
}

function faceOf(name) {
  const ranks = { T: "10", 1: "A" },
    card = document.createElement("span"),
    face = document.createElement("span");
  card.className = "card";
  face.className = `face ${name[1]}`;
  const rank = document.createElement("b");
  rank.textContent = ranks[name[0]] ?? name[0];
  face.append(rank);
  for (const kind of ["pip", "big"]) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"),
      use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    svg.setAttribute("class", kind);
    use.setAttribute("href", `#${name[1]}`);
    svg.append(use);
    face.append(svg);
  }
  card.append(face);
  return card;
}

// --- Choosing ----------------------------------------------------------------------

let asked = 0;

async function choose() {
  const here = board(),
    form = $("#play"),
    choices = $("#choices");
  if (!here.dataset.myTurn || !form || !choices) return;
  const query = new URLSearchParams(table.dataset.query);
  query.set("number", here.dataset.number);
  for (const input of $$("input:checked", form)) query.append(input.name, input.value);
  const turn = ++asked;
  try {
    const answer = await fetch(`${address}/choices?${query}`, { headers: { "x-diloti": "1" } });
    if (!answer.ok || turn !== asked || here !== board()) return;
    choices.innerHTML = await answer.text();
    const usable = new Set(($(".offers", choices)?.dataset.usable ?? "").split(" "));
    for (const card of $$(".cloth .card", here))
      card.classList.toggle("usable", usable.has(card.dataset.card));
    choices.scrollIntoView({ block: "nearest", behavior: still.matches ? "instant" : "smooth" });
  } catch {
    offline.hidden = false;
  }
}

document.addEventListener("change", (event) => {
  if (!event.target.closest("#play")) return;
  message.hidden = true;
  choose();
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id === "ask-hint") {
    event.preventDefault();
    hint();
  }
  if (!form.matches("#play, .command")) return;
  event.preventDefault();
  const button = event.submitter;
  if (menu.contains(form)) openMenu(false);
  if (form.id === "talk") $("details", form).open = false;
  if (form.id !== "play" || ["play", "show"].includes(button?.name)) command(form, button);
});

// Says what was wrong, until something changes.
function say(html) {
  message.innerHTML = html;
  message.hidden = false;
  message.scrollIntoView({ block: "nearest" });
  $("button", message)?.focus({ preventScroll: true });
}

// What the strongest bot would play here.
async function hint() {
  const here = board(),
    query = new URLSearchParams(table.dataset.query);
  query.set("number", here.dataset.number);
  try {
    const answer = await fetch(`${address}/hint?${query}`, { headers: { "x-diloti": "1" } });
    const html = await answer.text();
    if (here !== board()) return;
    if (answer.ok) advice.innerHTML = html;
    else if (answer.status === 409) listen();
    else say(table.dataset.failed);
    advice.scrollIntoView({ block: "nearest" });
  } catch {
    offline.hidden = false;
  }
}

// Sends what a button of a form asks for. What comes of it the stream brings.
async function command(form, button) {
  const here = board();
  const mine = here.dataset.myTurn;
  const path = (button?.getAttribute("formaction") ?? form.getAttribute("action")).split("?")[0];
  const body = new URLSearchParams(new FormData(form, button));
  if (form.id === "play") delete here.dataset.myTurn; // one play at a time
  if (button) button.disabled = true;
  let isDone = false;
  try {
    const headers = { "x-diloti": "1" };
    const answer = await fetch(path + table.dataset.query, { method: "POST", body, headers });
    const html = await answer.text();
    isDone = answer.ok;
    if (isDone) setTimeout(() => latest() <= stateOf(here) && listen(), 1000);
    else if (answer.status === 409) arrive(html);
    else if (answer.status === 422) say(html);
    else if (answer.status === 429 || answer.status >= 500) say(table.dataset.failed);
    else location.reload();
  } catch {
    offline.hidden = false;
  }
  if (!isDone && mine) here.dataset.myTurn = mine;
  if (button) button.disabled = false;
}

document.addEventListener("click", (event) => {
  if (event.target.dataset.copy) {
    const link = document.getElementById(event.target.dataset.copy);
    navigator.clipboard?.writeText(link.value).then(
      () => {
        event.target.textContent = "✓";
      },
      () => {},
    );
    link.select();
  }
  if (event.target.id === "again") again();
  if ("again" in event.target.dataset) {
    event.preventDefault();
    message.hidden = true;
    ($(".hand input:checked") ?? $(".hand input"))?.focus();
  }
});

// The boards since one's own last play once more, one after the other.
async function again() {
  if (showing || !past.length) return;
  showing = true;
  const boards = [...past, board()];
  for (const [place, next] of boards.entries()) {
    const old = board(),
      before = still.matches ? null : places(old);
    next.inert = next !== boards.at(-1);
    if (next.inert) plain(next);
    old.replaceWith(next);
    if (before && place > 0) travel(before, next, old);
    if (next.inert) await new Promise((done) => setTimeout(done, Math.max(pace(), 900)));
  }
  showAll();
}

// A board of the past, with nothing selected.
function plain(past) {
  for (const input of $$("input:checked", past)) input.checked = false;
  $("#choices", past)?.replaceChildren();
}

// Keys: 1-9 choose a card of the hand, Enter makes the first play that fits exactly.
document.addEventListener("keydown", (event) => {
  if (
    event.ctrlKey ||
    event.altKey ||
    event.metaKey ||
    event.target.matches("input[type=text], select, textarea")
  )
    return;
  if (/^[1-9]$/.test(event.key)) {
    const card = $$(".hand input")[Number(event.key) - 1];
    if (card && !card.disabled && !card.closest("fieldset").disabled) {
      card.checked = true;
      card.focus();
      choose();
    }
  } else if (event.key === "Enter" && event.target.matches("#play input")) {
    event.preventDefault();
    $("#choices button.go")?.click();
  } else if (event.key === "Escape" && board().dataset.myTurn) {
    for (const input of $$("#play input:checked")) input.checked = false;
    choose();
  }
});

// Links are shown whole, the time that is left runs, and what is for later comes later.
let running;
function dress(root) {
  for (const link of $$("input[readonly]", root)) link.value = new URL(link.value, location.href).href;
  for (const later of $$("[data-later]", root)) {
    later.hidden = later.dataset.later > 0 && $$(".player", root).length < 4; // four can vote
    setTimeout(() => (later.hidden = false), 1000 * later.dataset.later);
  }
  clearInterval(running);
  const clock = $(".clock", root);
  if (!clock) return;
  const end = performance.now() + 1000 * clock.dataset.left;
  const tick = () => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    clock.classList.toggle("soon", left <= 10);
  };
  tick();
  running = setInterval(tick, 500);
}

// --- The stream ----------------------------------------------------------------------

const SILENCE = 40000; // milliseconds after which a stream is taken for dead: it speaks every 15 s
let stream, heard;
function listen() {
  stream?.close();
  heard = Date.now();
  stream = new EventSource(`${address}/events${table.dataset.query}`);
  stream.addEventListener("board", (event) => {
    hear();
    arrive(event.data);
  });
  stream.addEventListener("alive", hear);
  stream.addEventListener("open", hear);
  stream.addEventListener("error", () => {
    offline.hidden = false;
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  });
}
function hear() {
  heard = Date.now();
  if (!offline.hidden) choose(); // what has been selected meanwhile
  offline.hidden = true;
}
function listenAgainIfSilent() {
  if (stream.readyState === EventSource.CLOSED || Date.now() - heard > SILENCE) listen();
}
setInterval(listenAgainIfSilent, 5000);
addEventListener("online", listen);
addEventListener("pageshow", (event) => event.persisted && listen());
document.addEventListener("visibilitychange", () => document.hidden || listenAgainIfSilent());

dress(document);
if ($("#play input:checked")) choose(); // somebody was faster than this script
document.title = (board().dataset.myTurn ? "● " + table.dataset.yourTurn + " · " : "") + plainTitle;
listen();
