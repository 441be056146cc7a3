// Checks how the packs of a record came about, with nothing but the record: docs/shuffle.md says how.

const CARDS = [..."A23456789TJQK"].flatMap((rank) => [..."cdhs"].map((suit) => rank + suit));
const HAND = 6;
const LAYOUT = 4;
const LARGEST_FILE = 16e6;

const ROUND = new Uint32Array(64);
const START = new Uint32Array(8);
for (let found = 0, number = 2; found < 64; number++) {
  let isPrime = true;
  for (let by = 2; by * by <= number && isPrime; by++) isPrime = number % by !== 0;
  if (!isPrime) continue;
  const fraction = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32);
  if (found < 8) START[found] = fraction(Math.sqrt(number));
  ROUND[found++] = fraction(Math.cbrt(number));
}

// SHA-256 of bytes (FIPS 180-4). The browser's own is not there without a secure connection.
export function sha256(bytes) {
  const size = Math.ceil((bytes.length + 9) / 64) * 64;
  const padded = new DataView(new ArrayBuffer(size));
  bytes.forEach((byte, place) => padded.setUint8(place, byte));
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(size - 4, bytes.length * 8);
  const turn = (word, by) => (word >>> by) | (word << (32 - by));
  const sum = START.slice();
  const words = new Uint32Array(64);
  for (let block = 0; block < size; block += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) words[i] = padded.getUint32(block + 4 * i);
      else {
        const near = turn(words[i - 15], 7) ^ turn(words[i - 15], 18) ^ (words[i - 15] >>> 3);
        const far = turn(words[i - 2], 17) ^ turn(words[i - 2], 19) ^ (words[i - 2] >>> 10);
        words[i] = words[i - 16] + near + words[i - 7] + far;
      }
    }
    let [a, b, c, d, e, f, g, h] = sum;
    for (let i = 0; i < 64; i++) {
      const chosen = (e & f) ^ (~e & g);
      const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + chosen + ROUND[i] + words[i]) | 0;
      const most = (a & b) ^ (a & c) ^ (b & c);
      const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + most) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, place) => (sum[place] += word));
  }
  const digest = new DataView(new ArrayBuffer(32));
  sum.forEach((word, place) => digest.setUint32(4 * place, word));
  return new Uint8Array(digest.buffer);
}

const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

// Draws below a number, from the stream of words that follows from a seed.
function stream(seed) {
  const block = new Uint8Array(40);
  block.set(seed);
  let number = 0;
  let words = [];
  const next = () => {
    if (!words.length) {
      new DataView(block.buffer).setUint32(36, number++);
      const digest = new DataView(sha256(block).buffer);
      words = Array.from({ length: 8 }, (_, place) => digest.getUint32(4 * place));
    }
    return words.shift();
  };
  return (below) => {
    const limit = Math.floor(2 ** 32 / below) * below;
    let word;
    do word = next();
    while (word >= limit);
    return word % below;
  };
}

function mix(cards, draw) {
  for (let last = cards.length - 1; last > 0; last--) {
    const other = draw(last + 1);
    [cards[last], cards[other]] = [cards[other], cards[last]];
  }
}

function mustChange(layout, redeal) {
  const courts = { jacks: "J", equal_courts: "JQK" }[redeal] ?? "";
  return [...courts].some((rank) => layout.filter((card) => card[0] === rank).length >= 3);
}

// The pack of a seed, and all cards after the hands once the layout need not be exchanged.
export function packOf(seed, players, redeal) {
  const draw = stream(seed);
  const pack = [...CARDS];
  mix(pack, draw);
  const rest = pack.slice(HAND * players);
  while (mustChange(rest.slice(0, LAYOUT), redeal)) mix(rest, draw);
  return { pack, rest };
}

function readRules(line) {
  const [base, ...changes] = line.split(",").map((part) => part.trim());
  const rules =
    base === "taverna" ? { players: "4", redeal: "jacks" } : { players: "2", redeal: "equal_courts" };
  for (const change of changes) {
    const [name, value] = change.split("=").map((part) => part.trim());
    rules[name] = value;
  }
  return rules;
}

// What a record says of each deal, as it stands there.
export function readDeals(record) {
  const header = {};
  const deals = [];
  for (const line of record.split(/\r?\n/)) {
    const deal = /^Deal (\d+)$/.exec(line.trim());
    const tag = /^([A-Za-z][A-Za-z0-9 _-]*): ?(.*)$/.exec(line.trim());
    if (deal) deals.push({ number: Number(deal[1]) });
    else if (tag) (deals.at(-1) ?? header)[tag[1]] = tag[2].trim();
  }
  const rules = readRules(header.Rules ?? "classic");
  return deals.map((deal) => ({ ...deal, rules }));
}

// Whether secret, seed and pack of a deal belong together.
export function checkDeal(deal) {
  const cuts = [0, 1, 2, 3].filter((seat) => `Cut ${seat}` in deal);
  const lines = ["diloti-seed-1", deal.Secret.toLowerCase(), ...cuts.map((seat) => `${seat} ${deal[`Cut ${seat}`]}`)];
  const seed = (deal.Shuffle ?? "").replace(/^sha256-1 /, "").toLowerCase();
  const { pack, rest } = packOf(fromHex(seed), Number(deal.rules.players), deal.rules.redeal);
  const hands = HAND * Number(deal.rules.players);
  return {
    committed: toHex(sha256(fromHex(deal.Secret))) === deal.Commitment,
    seeded: toHex(sha256(new TextEncoder().encode(lines.join("\n")))) === seed,
    packed:
      pack.join(" ") === deal.Pack &&
      rest.join(" ") === (deal["Layout again"] ?? pack.slice(hands).join(" ")),
  };
}

// --- The page ---------------------------------------------------------------------

const form = document.getElementById("check");
const found = document.getElementById("found");

// What this browser remembers of a deal: what it was shown before the cut, and what it added.
function remembered(number) {
  const { table, match } = form.dataset;
  try {
    return JSON.parse(localStorage.getItem("shuffles") ?? "{}")[table]?.[`${match} ${number}`];
  } catch {
    return undefined;
  }
}

function judge(deal) {
  if (!deal.Secret) return [[null, "bare"]];
  const { committed, seeded, packed } = checkDeal(deal);
  const told = [
    [committed, committed ? "committed" : "notCommitted"],
    [seeded, seeded ? "seeded" : "notSeeded"],
    [packed, packed ? "packed" : "notPacked"],
  ];
  if (!form.dataset.table) return told;
  const known = remembered(deal.number);
  const isSame = known?.commitment === deal.Commitment;
  told.push(known ? [isSame, isSame ? "seen" : "other"] : [null, "notSeen"]);
  if (known?.cut) {
    const isIn = [0, 1, 2, 3].some((seat) => deal[`Cut ${seat}`] === known.cut);
    told.push([isIn, isIn ? "cut" : "noCut"]);
  }
  return told;
}

function show() {
  found.replaceChildren();
  const record = document.getElementById("record").value;
  if (!/^\uFEFF?Diloti record /.test(record)) {
    found.textContent = found.dataset.foreign;
    return;
  }
  const deals = readDeals(record);
  for (const deal of deals) {
    const title = document.createElement("h2");
    title.textContent = found.dataset.deal.replace("%", deal.number);
    const list = document.createElement("ul");
    list.className = "checks";
    for (const [isGood, what] of judge(deal)) {
      const item = document.createElement("li");
      item.className = isGood === null ? "" : isGood ? "good" : "bad";
      item.textContent = found.dataset[what];
      list.append(item);
    }
    found.append(title, list);
  }
  if (!deals.length) found.textContent = found.dataset.none;
}

// A file of somebody's own is read here; it does not leave the browser.
async function take(file) {
  const text = document.getElementById("record");
  text.value = "";
  found.replaceChildren();
  if (file.size > LARGEST_FILE) {
    found.textContent = found.dataset.large;
    return;
  }
  try {
    text.value = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    found.textContent = found.dataset.unreadable;
    return;
  }
  show();
}

const input = document.getElementById("file");
if (input) {
  input.closest("p").hidden = false;
  input.addEventListener("click", () => (input.value = "")); // the same file may have changed
  input.addEventListener("change", () => input.files.length && take(input.files[0]));
}
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  show();
});
if (form?.dataset.table) show();
