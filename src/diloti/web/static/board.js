// A board, at the table and in lessons: lets cards travel between two states of it, and asks the
// server what a selection can mean. It knows no rule of the game.
"use strict";

const table = document.getElementById("table");
const offline = document.getElementById("offline");
const address = table.dataset.address;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
const board = () => $("#board");

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
  if (event.target.closest("#play")) choose();
});

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
