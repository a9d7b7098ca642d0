/**
 * Reads the payment's status every two seconds and loads the page again once it changed. It runs on old phones. It pauses
 * while the page is hidden (the shopper is approving in another app) and reads at once when the page is shown again.
 */
export const script = `
(function () {
  var main = document.querySelector("main[data-status]");
  if (!main) return;
  var page = main.dataset, live = document.getElementById("live");
  var started = Date.now(), failures = 0, busy = false, timer;
  function reload() { location.replace(page.next); }
  if (!window.fetch || !window.AbortController) { setTimeout(reload, 10000); return; }
  function show(text) { if (live && live.textContent !== text) live.textContent = text; }
  function readIn(waitMs) { clearTimeout(timer); timer = setTimeout(read, waitMs); }
  function onAnswer(answer) {
    failures = 0;
    if (answer.status !== page.shown) { show(page.changed); reload(); return; }
    var waitedMs = Date.now() - started;
    show(waitedMs > 40000 ? page.later : page.now);
    readIn(waitedMs > 600000 ? 15000 : 2000);
  }
  function onFailure() {
    failures += 1;
    if (failures > 1) show(page.weak);
    readIn(Math.min(2000 * failures, 12000));
  }
  function read() {
    if (busy || document.hidden) return;
    busy = true;
    var stop = new AbortController();
    var deadline = setTimeout(function () { stop.abort(); }, 10000);
    fetch(page.status, { cache: "no-store", signal: stop.signal })
      .then(function (answer) {
        if (answer.status >= 400 && answer.status < 500) return { status: "" };
        if (!answer.ok) throw new Error("no answer");
        return answer.json();
      })
      .then(function (answer) { busy = false; onAnswer(answer); }, function () { busy = false; onFailure(); })
      .then(function () { clearTimeout(deadline); });
  }
  document.addEventListener("visibilitychange", read);
  readIn(1500);
})();
`.trim();
