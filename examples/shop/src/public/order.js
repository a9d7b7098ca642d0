// Keeps an order page up to date while its status can change, without reloading the page, so that the shopper's place on the page
// stays and a screen reader announces the new status. Without this script the page reloads itself.
// Often at first, because most payments arrive within seconds.
const SOON_MS = 400;
const LATER_MS = 2_000;
const SOON_UNTIL_MS = 30_000;
const LONGEST_MS = 15 * 60_000;
const startedAt = Date.now();
const stateUrl = document.currentScript.dataset.state + location.search;
let status = document.currentScript.dataset.status;

setTimeout(checkStatus, SOON_MS);

async function checkStatus() {
  try {
    const answer = document.hidden ? null : await fetch(stateUrl, { cache: "no-store" });
    if (answer?.ok && (await answer.text()) !== status) await showNewPage();
  } catch {
    // The network of a phone comes and goes, so the script tries again.
  }
  const shownMs = Date.now() - startedAt;
  if (status !== undefined && shownMs < LONGEST_MS)
    setTimeout(checkStatus, shownMs < SOON_UNTIL_MS ? SOON_MS : LATER_MS);
}

async function showNewPage() {
  const answer = await fetch(location.href, { cache: "no-store" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.title = page.title;
  for (const id of ["status", "actions", "timeline"]) {
    document.getElementById(id)?.replaceChildren(...(page.getElementById(id)?.childNodes ?? []));
  }
  // A settled page contains no script, so the status becomes undefined and the checks end.
  status = page.querySelector("script[data-status]")?.dataset.status;
}
