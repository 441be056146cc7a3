// The page of a match: says how far its review is, and shows it when it is there.
// A match seen again: fetches the moments that come next, and shows them by key, button or swipe.
// Without it the same links lead from page to page.
"use strict";

const replay = document.getElementById("replay");
const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];

function offerCopies() {
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
}

offerCopies();
if (replay) watch();
if (document.getElementById("reviewing")) waitForReview();

// --- The review while it is made -------------------------------------------------------

function waitForReview() {
  const SECONDS = 1;
  const MOST_UNKNOWN = 20; // answers in a row that know nothing: by another process, or none
  const bar = document.getElementById("reviewing");
  let unknown = 0;

  async function look() {
    let found = { state: "none" };
    try {
      const answer = await fetch(bar.dataset.from);
      if (answer.ok) found = await answer.json();
    } catch {
      // the network may come back
    }
    if (found.state === "done" || found.state === "failed") return showAnew();
    if (found.total) {
      unknown = 0;
      bar.max = found.total;
      bar.value = found.done;
      const told = document.getElementById("review-told");
      if (told.textContent !== found.told) told.textContent = found.told;
    } else if (++unknown > MOST_UNKNOWN) return showAnew();
    setTimeout(look, SECONDS * 1000);
  }

  async function showAnew() {
    const answer = await fetch(location.pathname).catch(() => null);
    if (!answer?.ok) return void setTimeout(look, SECONDS * 1000);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const focused = document.activeElement.closest("main");
    $("main").replaceWith(document.adoptNode($("main", page)));
    offerCopies();
    if (focused) document.getElementById("review-heading").focus({ preventScroll: true });
    const live = document.getElementById("live");
    // what is new in a page is not read out, only what changes in it
    if ($(".chances")) setTimeout(() => (live.textContent = live.dataset.ready), 100);
  }

  setTimeout(look, SECONDS * 1000);
}

// --- A match seen again ----------------------------------------------------------------

function watch() {
  const { base, last, part } = replay.dataset;
  const live = document.getElementById("live");
  const AHEAD = 3;
  const SECONDS = 1.6;
  const LINKS = {
    PageUp: "#deal-before",
    PageDown: "#deal-after",
    n: "#slip-next",
    p: "#slip-back",
    KeyN: "#slip-next", // where the letters are not Latin
    KeyP: "#slip-back",
  };
  const MOST_FLAT = 0.5; // a swipe is at least twice as wide as high
  const LEAST_SWIPE = 40;
  const moments = new Map();
  let wanted = Number($("#step").dataset.play); // the last one that was asked for
  let clock = null;

  const addressOf = (play) => (play ? `${base}/${play}` : base);

  function fetchMoment(play) {
    if (!moments.has(play)) {
      const moment = fetch(`${addressOf(play)}?part=${part}`).then((answer) => {
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
    live.textContent = [$("#told"), $("#grade")].map((one) => one?.textContent ?? "").join(" ");
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
    const link = LINKS[/^\p{Script=Latin}/u.test(event.key) ? event.key : event.code];
    if (to === undefined && !link) return;
    event.preventDefault();
    stop();
    if (link) $(link)?.click();
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
