/** Polls the payment status for ten minutes, with growing pauses, and shows each change. */
(() => {
  const section = document.getElementById("tillkit-wait");
  if (!section?.dataset.url) return;
  const { url, order, key, place, timeoutText } = section.dataset;
  const [status, payAgain] = section.querySelectorAll("p");
  /** A declined payment can still be paid on its hosted page, in another window. */
  const OPEN_STATES = ["unknown", "waiting", "pending", "declined"];
  const PAY_AGAIN_STATES = ["declined", "not_completed"];
  const PAID_STATES = ["paid", "paid_otherwise", "held"];
  const giveUpAt = Date.now() + 600_000;
  // The page where an order is paid begins without a status, so it asks at once.
  let pauseMs = place === "pay" ? 200 : 2_000;

  schedule();

  function schedule() {
    setTimeout(poll, pauseMs);
    pauseMs = Math.min(Math.max(pauseMs, 1_500) * 1.5, 20_000);
  }

  async function poll() {
    const answer = await fetchStatus();
    if (answer !== null) show(answer);
    if (answer !== null && !OPEN_STATES.includes(answer.state)) return;
    if (Date.now() <= giveUpAt) schedule();
    else if (place !== "pay" && answer?.state !== "declined") status.textContent = timeoutText;
  }

  function show({ state, kind, text, title, received }) {
    status.textContent = text;
    section.className = `tillkit-notice is-${kind}`;
    if (payAgain) payAgain.hidden = !PAY_AGAIN_STATES.includes(state);
    if (PAID_STATES.includes(state) && isFirstReload()) return location.reload();
    if (place === "pay") return showPayForm(!PAID_STATES.includes(state));
    replaceText(section.dataset.title, title);
    replaceText(section.dataset.received, received);
    Object.assign(section.dataset, { title, received });
  }

  /** The theme's page of a failed order says that it cannot be processed. It is made anew once, when a late payment has arrived. */
  function isFirstReload() {
    if (section.dataset.failed !== "yes" || place === "pay") return false;
    const name = `tillkit-paid-${order}`;
    try {
      const isFirst = sessionStorage.getItem(name) === null;
      sessionStorage.setItem(name, "yes");
      return isFirst;
    } catch {
      // A browser without storage could not stop after the first time.
      return false;
    }
  }

  /** The form is hidden after a payment has arrived, so that nobody pays twice. */
  function showPayForm(isShown) {
    const form = document.getElementById("order_review");
    if (form) form.hidden = !isShown;
  }

  /** The heading and the sentence of the page come from the theme, which may put them anywhere. */
  function replaceText(from, to) {
    if (!from || !to || from === to) return;
    for (const element of document.querySelectorAll("h1, h2, p")) {
      if (element.childElementCount === 0 && element.textContent.trim() === from) element.textContent = to;
    }
    document.title = document.title.replace(from, to);
  }

  /** Null if the shop does not answer. */
  async function fetchStatus() {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: JSON.stringify({ order, key, place }),
        credentials: "same-origin",
        cache: "no-store",
      });
      const answer = response.ok ? await response.json() : null;
      return typeof answer?.state === "string" && typeof answer.text === "string" ? answer : null;
    } catch {
      return null;
    }
  }
})();
