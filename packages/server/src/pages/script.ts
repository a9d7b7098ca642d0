/**
 * Asks for the payment's standing every two seconds and opens the page anew once it changed. Written for old phones. It
 * rests while the page is hidden (the shopper is approving in another app) and looks at once when it is back.
 */
export const script = `
(function () {
  var main = document.querySelector("main[data-status]");
  if (!main) return;
  var say = main.dataset, live = document.getElementById("live");
  var started = Date.now(), faults = 0, busy = false, timer;
  function open() { location.replace(say.next); }
  if (!window.fetch || !window.AbortController) { setTimeout(open, 10000); return; }
  function tell(text) { if (live && live.textContent !== text) live.textContent = text; }
  function later(wait) { clearTimeout(timer); timer = setTimeout(look, wait); }
  function heard(answer) {
    faults = 0;
    if (answer.say !== say.say) { tell(say.found); open(); return; }
    var waited = Date.now() - started;
    tell(waited > 40000 ? say.long : say.now);
    later(waited > 600000 ? 15000 : 2000);
  }
  function failed() {
    faults += 1;
    if (faults > 1) tell(say.weak);
    later(Math.min(2000 * faults, 12000));
  }
  function look() {
    if (busy || document.hidden) return;
    busy = true;
    var stop = new AbortController();
    var tooLong = setTimeout(function () { stop.abort(); }, 10000);
    fetch(say.status, { cache: "no-store", signal: stop.signal })
      .then(function (answer) {
        if (answer.status >= 400 && answer.status < 500) return { say: "" };
        if (!answer.ok) throw new Error("no answer");
        return answer.json();
      })
      .then(function (answer) { busy = false; heard(answer); }, function () { busy = false; failed(); })
      .then(function () { clearTimeout(tooLong); });
  }
  document.addEventListener("visibilitychange", look);
  later(1500);
})();
`.trim();
