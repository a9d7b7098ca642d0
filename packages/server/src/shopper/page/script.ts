/**
 * Asks for the payment's status, again as soon as the server says, after ten minutes every 15 seconds, and after failures at growing
 * intervals of up to 12 seconds. The server holds its answer while nothing changes. Once the status differs from the status that the page shows, or the link of the page is rejected (4xx), the script opens the
 * return address, which shows the new status. The script pauses while the page is hidden (the shopper is approving in another app) and
 * asks anew at once when the page is shown again, because a phone loses connections that were open meanwhile. It is written for old phones: a browser without `fetch` reloads the page after ten seconds.
 */
export const script = `
(function () {
  var main = document.querySelector("main[data-status-url]");
  if (!main) return;
  var page = main.dataset, live = document.getElementById("live");
  var started = Date.now(), failures = 0, current = 0, timer;
  function openNextPage() { location.replace(page.nextUrl); }
  if (!window.fetch || !window.AbortController) { setTimeout(openNextPage, 10000); return; }
  function show(text) { if (live && live.textContent !== text) live.textContent = text; }
  function readIn(waitMs) { clearTimeout(timer); timer = setTimeout(read, waitMs); }
  function onStatus(payment) {
    failures = 0;
    if (payment.status !== page.shownStatus) { show(page.changedText); openNextPage(); return; }
    var waitedMs = Date.now() - started;
    show(waitedMs > 40000 ? page.laterText : page.firstText);
    readIn(waitedMs > 600000 ? 15000 : payment.askInMs || 2000);
  }
  function onFailure() {
    failures += 1;
    if (failures > 1) show(page.weakText);
    readIn(Math.min(2000 * failures, 12000));
  }
  function read() {
    if (current) current.abort();
    current = 0;
    clearTimeout(timer);
    if (document.hidden) return;
    var question = current = new AbortController();
    var deadline = setTimeout(function () { question.abort(); }, 10000);
    function end(next, payment) {
      clearTimeout(deadline);
      if (question !== current) return;
      current = 0;
      next(payment);
    }
    fetch(page.statusUrl, { cache: "no-store", signal: question.signal })
      .then(function (response) {
        if (response.status >= 400 && response.status < 500) return { status: "link_rejected" };
        if (!response.ok) throw new Error("no answer");
        return response.json();
      })
      .then(function (payment) { end(onStatus, payment); }, function () { end(onFailure); });
  }
  document.addEventListener("visibilitychange", read);
  readIn(250);
})();
`.trim();
