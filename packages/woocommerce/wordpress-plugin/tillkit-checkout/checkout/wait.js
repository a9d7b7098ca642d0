/** Keeps asking the shop whether the money has arrived, ever more slowly, for ten minutes. */
(() => {
  const section = document.getElementById("tillkit-wait");
  if (!section?.dataset.url) return;
  const { url, order, key, later } = section.dataset;
  const [status, payAgain] = section.querySelectorAll("p");
  const until = Date.now() + 600_000;
  let pause = 2_000;

  wait();

  function wait() {
    setTimeout(look, pause);
    pause = Math.min(pause * 1.5, 20_000);
  }

  async function look() {
    const answer = await ask();
    if (answer !== null && answer.state !== "waiting") {
      status.textContent = answer.text;
      payAgain.hidden = answer.state !== "lapsed";
      return;
    }
    if (Date.now() > until) status.textContent = later;
    else wait();
  }

  /** Null when the shop does not answer: it is asked again. */
  async function ask() {
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
