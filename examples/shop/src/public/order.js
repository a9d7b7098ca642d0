// Keeps an unsettled order page up to date without reloading it, so that nobody loses their place and a screen reader
// learns the new status. Without this script the page reloads itself.
const EVERY_MS = 2_000;
const LONGEST_MS = 15 * 60_000;
const startedAt = Date.now();
const stateUrl = document.currentScript.dataset.state + location.search;
let status = document.currentScript.dataset.status;

setTimeout(look, EVERY_MS);

async function look() {
  try {
    const answer = document.hidden ? null : await fetch(stateUrl, { cache: "no-store" });
    if (answer?.ok && (await answer.text()) !== status) await showNewPage();
  } catch {
    // The network of a phone comes and goes: ask again.
  }
  if (status !== undefined && Date.now() - startedAt < LONGEST_MS) setTimeout(look, EVERY_MS);
}

async function showNewPage() {
  const answer = await fetch(location.href, { cache: "no-store" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.title = page.title;
  for (const id of ["status", "actions", "timeline"]) {
    document.getElementById(id)?.replaceChildren(...(page.getElementById(id)?.childNodes ?? []));
  }
  // A settled page carries no script any more.
  status = page.querySelector("script[data-status]")?.dataset.status;
}
