// A match seen again: fetches the moments that come next, and shows them by key, button or swipe.
// Without it the same links lead from page to page.
"use strict";

const replay = document.getElementById("replay");
const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];

for (const button of $$("[data-copy]")) {
  const link = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener("click", () => {
    navigator.clipboard?.writeText(link.value).then(
      () => {
        button.textContent = "✓";
      },
      () => {},
    );
    link.select();
  });
}

if (replay) watch();

function watch() {
  const { base, last } = replay.dataset;
  const live = document.getElementById("live");
  const AHEAD = 3;
  const SECONDS = 1.6;
  const MOST_FLAT = 0.5; // a swipe is at least twice as wide as high
  const LEAST_SWIPE = 40;
  const moments = new Map();
  let wanted = Number($("#step").dataset.play); // the last one that was asked for
  let clock = null;

  const addressOf = (play) => (play ? `${base}/${play}` : base);

  function fetchMoment(play) {
    if (!moments.has(play)) {
      const moment = fetch(`${addressOf(play)}?part=step`).then((answer) => {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.text();
      });
      moment.catch(() => moments.delete(play));
      moments.set(play, moment);
    }
    return moments.get(play);
  }

  function fetchAround(play) {
    for (let far = 1; far <= AHEAD; far++) if (play + far <= Number(last)) fetchMoment(play + far);
    if (play) fetchMoment(play - 1);
  }

  async function go(play) {
    if (play < 0 || play > Number(last) || play === wanted) return;
    wanted = play;
    try {
      const html = await fetchMoment(play);
      if (play === wanted) show(html, play);
    } catch {
      if (play === wanted) {
        wanted = Number($("#step").dataset.play);
        live.textContent = replay.dataset.failed;
      }
      stop();
    }
  }

  function show(html, play) {
    const focused = replay.contains(document.activeElement) ? document.activeElement.id : "";
    const open = $$("details[open]", replay).map((details) => details.className);
    replay.innerHTML = html;
    for (const details of $$("details", replay)) details.open = open.includes(details.className);
    dress();
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    live.textContent = $("#told").textContent;
    follow(play);
    fetchAround(play);
  }

  // What stands around the moment goes along with it.
  function follow(play) {
    history.replaceState(null, "", addressOf(play));
    $("#link").value = location.href;
    $("[data-copy]").textContent = copyText;
    const back = $("input[name='back']");
    if (back) back.value = location.pathname;
    const form = $("#try");
    form.action = `${base}/${play}/try`;
    form.hidden = Boolean($("#step").dataset.over);
    for (const link of $$(".jump a")) {
      if (Number(link.dataset.play) === play) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    }
  }
  const copyText = $("[data-copy]").textContent;

  // --- By itself ---------------------------------------------------------------------

  function stop() {
    clearInterval(clock);
    clock = null;
    dress();
  }
  function run() {
    clock = setInterval(() => {
      if (wanted >= Number(last)) stop();
      else if (Number($("#step").dataset.play) === wanted) go(wanted + 1);
    }, SECONDS * 1000);
    if (wanted >= Number(last)) go(0);
    else go(wanted + 1);
    dress();
  }
  function dress() {
    const button = $("#run");
    button.hidden = false;
    button.setAttribute("aria-pressed", String(clock !== null));
    $(".sr", button).textContent = clock === null ? replay.dataset.run : replay.dataset.pause;
  }

  // --- What people do -----------------------------------------------------------------

  document.addEventListener("click", (event) => {
    if (event.target.closest("#run")) {
      if (clock === null) run();
      else stop();
      return;
    }
    const link = event.target.closest("a[data-play]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    stop();
    go(Number(link.dataset.play));
  });

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea")) return;
    const to = { ArrowLeft: wanted - 1, ArrowRight: wanted + 1, Home: 0, End: Number(last) }[event.key];
    const deal = { PageUp: "#deal-before", PageDown: "#deal-after" }[event.key];
    if (to === undefined && !deal) return;
    event.preventDefault();
    stop();
    if (deal) $(deal)?.click();
    else go(to);
  });

  let began = null;
  replay.addEventListener(
    "touchstart",
    (event) => {
      began = event.touches.length === 1 && event.target.closest(".drawing") ? event.touches[0] : null;
    },
    { passive: true },
  );
  replay.addEventListener("touchend", (event) => {
    if (!began) return;
    const ended = event.changedTouches[0];
    const wide = ended.clientX - began.clientX;
    const high = ended.clientY - began.clientY;
    began = null;
    if (Math.abs(wide) < LEAST_SWIPE || Math.abs(high) > Math.abs(wide) * MOST_FLAT) return;
    stop();
    go(wanted + (wide < 0 ? 1 : -1));
  });

  dress();
  fetchAround(wanted);
}
