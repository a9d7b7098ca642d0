/** Polls the payment status for ten minutes, with growing pauses. */
(() => {
  const section = document.getElementById("tillkit-wait");
  if (!section?.dataset.url) return;
  const { url, order, key, timeoutText } = section.dataset;
  const [status, payAgain] = section.querySelectorAll("p");
  const giveUpAt = Date.now() + 600_000;
  let pauseMs = 2_000;

  schedule();

  function schedule() {
    setTimeout(poll, pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, 20_000);
  }

  async function poll() {
    const answer = await fetchStatus();
    if (answer !== null && answer.state !== "waiting") {
      status.textContent = answer.text;
      payAgain.hidden = answer.state !== "not_completed";
      return;
    }
    if (Date.now() > giveUpAt) status.textContent = timeoutText;
    else schedule();
  }

  /** Null if the shop does not answer. */
  async function fetchStatus() {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: JSON.stringify({ order, key }),
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
