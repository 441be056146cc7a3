// The table: shows the boards that come from the server one after the other, and sends what people
// want. What it shares with the lessons is in board.js. It knows no rule of the game.
"use strict";

const live = document.getElementById("live");
const message = document.getElementById("message");
const advice = document.getElementById("advice");
const stateOf = (element) => Number(element.dataset.number);
const latest = () => stateOf(waiting.at(-1) ?? board());

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
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || menu.hidden) return;
    event.stopPropagation(); // what is selected stays so
    openMenu(false);
    menuButton.focus();
  },
  true,
);

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
  const focused = document.activeElement;
  message.hidden = true;
  advice.replaceChildren();
  const isPlay = fresh.dataset.played !== old.dataset.played;
  const isOwn = $(".plays li:last-child", fresh)?.dataset.seat === $(".player.me", fresh)?.dataset.seat;
  const isNewDeal = fresh.dataset.deal !== old.dataset.deal;
  past = [...((isPlay && isOwn) || isNewDeal ? [] : past), old].slice(-MOST_PAST);
  const before = still.matches || document.hidden ? null : places(old);
  old.replaceWith(fresh);
  keep(old, fresh);
  if ([old, message, advice].some((part) => part.contains(focused))) {
    const same = focused.id ? document.getElementById(focused.id) : null;
    const next = ["#sheet button", ".hand input", "summary"].map((wanted) => $(wanted, fresh));
    [same, ...next].find((one) => one?.matches(":enabled, summary"))?.focus({ preventScroll: true });
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

// --- Commands -----------------------------------------------------------------------

document.addEventListener("change", (event) => {
  if (event.target.closest("#play")) message.hidden = true;
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
  const button = $("#ask-hint button");
  if (!begin(button)) return;
  advice.textContent = table.dataset.thinking;
  try {
    const answer = await fetch(`${address}/hint?${query}`, { headers: { "x-diloti": "1" } });
    const html = await answer.text();
    if (here !== board()) return;
    advice.innerHTML = answer.ok ? html : "";
    if (answer.ok) advice.scrollIntoView({ block: "nearest" });
    else if (answer.status === 409) listen();
    else say(table.dataset.failed);
  } catch {
    advice.textContent = "";
    offline.hidden = false;
  }
  end(button);
}

// A button at work does nothing, but keeps the focus: one that is disabled would lose it.
function begin(button) {
  if (button.ariaDisabled === "true") return false;
  button.ariaDisabled = "true";
  return true;
}
function end(button) {
  button.ariaDisabled = null;
}

// Says that the coach thinks, where that takes longer than a moment; until what is returned is called.
function think() {
  const told = document.createTextNode(table.dataset.thinking);
  const waiting = setTimeout(() => advice.prepend(told), 300);
  return () => {
    clearTimeout(waiting);
    told.remove();
  };
}

// Sends what a button of a form asks for. What comes of it the stream brings.
async function command(form, button) {
  if (button && !begin(button)) return;
  const here = board();
  const mine = here.dataset.myTurn;
  const path = (button?.getAttribute("formaction") ?? form.getAttribute("action")).split("?")[0];
  const body = new URLSearchParams(new FormData(form, button));
  if (form.id === "play") delete here.dataset.myTurn; // one play at a time
  const endThinking = form.id === "play" && $("#coach")?.checked ? think() : () => {};
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
  endThinking();
  if (!isDone && mine) here.dataset.myTurn = mine;
  if (button) end(button);
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

// --- The cut: what this browser adds to the next pack --------------------------------

const FIRST_CUT = 3000; // milliseconds; later deals wait until the score has been seen
const MOST_TABLES = 30;
const cuts = {};
let cutting;

function prepareCut(root) {
  clearTimeout(cutting);
  const shuffling = $(".shuffling", root);
  if (!shuffling) return;
  const { match, deal, commitment } = shuffling.dataset;
  const name = `${match} ${deal}`;
  const input = $("input", shuffling);
  if (input) {
    cuts[name] ??= Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
      byte.toString(16).padStart(2, "0"),
    ).join("");
    input.value = cuts[name];
    input.addEventListener("input", () => {
      cuts[name] = input.value;
      bearInMind(name, commitment, input.value);
    });
  }
  bearInMind(name, commitment, cuts[name]);
  shuffling.addEventListener("toggle", () => clearTimeout(cutting));
  if (!$("#first-cut", root) || shuffling.open) return;
  const wait = remembered("pace", "") === "0" ? 0 : FIRST_CUT;
  cutting = setTimeout(() => document.getElementById("go-on")?.click(), wait);
}

// What was shown before the cut, for the page that checks it afterwards.
function bearInMind(name, commitment, cut) {
  let all = {};
  try {
    all = JSON.parse(remembered("shuffles", "{}"));
  } catch {}
  const here = { ...all[table.dataset.id], [name]: { commitment, cut: cut?.trim().split(/\s+/).join(" ") } };
  delete all[table.dataset.id];
  const others = Object.entries(all).slice(1 - MOST_TABLES);
  remember("shuffles", JSON.stringify({ ...Object.fromEntries(others), [table.dataset.id]: here }));
}

// Links are shown whole, the time that is left runs, and what is for later comes later.
let running;
function dress(root) {
  prepareCut(root);
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
