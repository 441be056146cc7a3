// Lets the page of a score sheet open without a network: what was loaded last is kept and shown where
// the server does not answer. Whatever the server says comes first, so nothing old is shown for new.
// The server writes what is kept, and a version that follows from it, in the place of words in capitals.
"use strict";
const CACHE = "diloti score VERSION";
const OURS = new Set("FILES".split(" ").map((name) => `/static/${name}`));
const PATIENCE = 5000; // milliseconds

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([...OURS])));
});
self.addEventListener("activate", (event) => {
  const clean = async () => {
    for (const name of await caches.keys()) {
      if (name === CACHE || !name.startsWith("diloti score ")) continue;
      await move(await caches.open(name), await caches.open(CACHE));
      await caches.delete(name);
    }
    await self.clients.claim();
    await keepOpenPages();
  };
  event.waitUntil(clean());
});
// Sheets that an earlier version kept stay; its files do not.
async function move(from, to) {
  for (const request of await from.keys()) {
    if (new URL(request.url).pathname.startsWith("/static/")) continue;
    if (!(await to.match(request))) await to.put(request, await from.match(request));
  }
}
// The page that has just been opened for the first time came before this worker.
async function keepOpenPages() {
  const cache = await caches.open(CACHE);
  for (const client of await self.clients.matchAll({ type: "window" })) {
    const { pathname, origin } = new URL(client.url);
    if (!isPage(pathname)) continue;
    const answer = await fetch(origin + pathname).catch(() => null);
    if (answer?.ok && !answer.redirected) await cache.put(origin + pathname, answer);
  }
}
const isPage = (path) => /^\/score(\/[\w-]+){0,2}$/.test(path) && !path.endsWith("/entries");

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (OURS.has(pathname) || (request.mode === "navigate" && isPage(pathname)))
    event.respondWith(answer(request, origin + pathname));
});

async function answer(request, address) {
  const cache = await caches.open(CACHE);
  const old = await cache.match(address);
  try {
    const signal = old && AbortSignal.timeout?.(PATIENCE);
    const fresh = await fetch(request.url, { signal, credentials: "same-origin", redirect: "manual" });
    if (fresh.ok) await cache.put(address, fresh.clone());
    return fresh.status >= 500 && old ? old : fresh;
  } catch (trouble) {
    if (old) return old;
    throw trouble;
  }
}
