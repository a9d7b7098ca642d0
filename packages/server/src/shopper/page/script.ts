/**
 * Reads the payment's status every two seconds, after ten minutes every 15 seconds, and after failures at growing intervals of up to 12
 * seconds. Once the status differs from the status that the page shows, or the link of the page is rejected (4xx), the script opens the
 * return address, which shows the new status. The script pauses while the page is hidden (the shopper is approving in another app) and
 * reads at once when the page is shown again. It is written for old phones: a browser without `fetch` reloads the page after ten seconds.
 */
export const script = `
(function () {
  var main = document.querySelector("main[data-status-url]");
  if (!main) return;
  var page = main.dataset, live = document.getElementById("live");
  var started = Date.now(), failures = 0, busy = false, timer;
  function openNextPage() { location.replace(page.nextUrl); }
  if (!window.fetch || !window.AbortController) { setTimeout(openNextPage, 10000); return; }
  function show(text) { if (live && live.textContent !== text) live.textContent = text; }
  function readIn(waitMs) { clearTimeout(timer); timer = setTimeout(read, waitMs); }
  function onStatus(paymentStatus) {
    failures = 0;
    if (paymentStatus !== page.shownStatus) { show(page.changedText); openNextPage(); return; }
    var waitedMs = Date.now() - started;
    show(waitedMs > 40000 ? page.laterText : page.firstText);
    readIn(waitedMs > 600000 ? 15000 : 2000);
  }
  function onFailure() {
    failures += 1;
    if (failures > 1) show(page.weakText);
    readIn(Math.min(2000 * failures, 12000));
  }
  function read() {
    if (busy || document.hidden) return;
    busy = true;
    var stop = new AbortController();
    var deadline = setTimeout(function () { stop.abort(); }, 10000);
    fetch(page.statusUrl, { cache: "no-store", signal: stop.signal })
      .then(function (response) {
        if (response.status >= 400 && response.status < 500) return { status: "link_rejected" };
        if (!response.ok) throw new Error("no answer");
        return response.json();
      })
      .then(function (payment) { busy = false; onStatus(payment.status); }, function () { busy = false; onFailure(); })
      .then(function () { clearTimeout(deadline); });
  }
  document.addEventListener("visibilitychange", read);
  readIn(1500);
})();
`.trim();
