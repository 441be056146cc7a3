// A lesson: sends a play or an answer, and shows what the teacher says to it. What it shares with
// the table is in board.js. It knows no rule of the game.
"use strict";

const live = document.getElementById("live");

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches(".answer")) return;
  event.preventDefault();
  if (["play", "answer"].includes(event.submitter?.name)) send(form, event.submitter);
});

async function send(form, button) {
  const body = new URLSearchParams(new FormData(form, button));
  button.disabled = true;
  try {
    const headers = { "x-diloti": "1" };
    const answer = await fetch(form.action, { method: "POST", body, headers });
    const html = await answer.text();
    offline.hidden = true;
    if (answer.ok) succeed(html);
    else if (answer.status === 422) explain(html);
    else location.reload();
  } catch {
    offline.hidden = false;
  }
  button.disabled = false;
  if (button.isConnected) button.focus({ preventScroll: true });
}

function succeed(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const old = board(),
    fresh = holder.content.getElementById("board");
  const before = still.matches ? null : places(old);
  old.replaceWith(fresh);
  if (before) travel(before, fresh, old);
  if ($(".notices.xeri", fresh)) $(".cloth", fresh).classList.add("celebrate");
  live.textContent = fresh.dataset.announce;
  $("#next").focus({ preventScroll: true });
  $(".right").scrollIntoView({ block: "nearest", behavior: still.matches ? "instant" : "smooth" });
}

function explain(html) {
  $(".verdict")?.remove();
  $("#choices").insertAdjacentHTML("afterbegin", html);
  $(".verdict").scrollIntoView({ block: "nearest", behavior: still.matches ? "instant" : "smooth" });
}

document.body.classList.toggle("four", remembered("four-colours", "") === "yes");
if ($("#play input:checked") && !$(".verdict")) choose(); // somebody was faster than this script
if (!still.matches && $(".plays li")) travel(new Map(), board(), { dataset: { deal: "1", played: "" } });
