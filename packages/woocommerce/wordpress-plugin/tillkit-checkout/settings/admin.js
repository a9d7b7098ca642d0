/** Buttons of the order box and of the health panel: each asks the shop and shows the answer, which the shop has escaped. */
(() => {
  for (const box of document.querySelectorAll("[data-tillkit-call]")) {
    const { dataset } = box;
    const answer = box.querySelector("[data-tillkit-answer]");
    const buttons = [...box.querySelectorAll("[data-tillkit-ask]")];
    for (const button of buttons) {
      button.addEventListener("click", () => show(button.dataset.tillkitAsk));
    }
    if (dataset.now === "yes") void show("status");

    async function show(question) {
      for (const button of buttons) button.disabled = true;
      try {
        const response = await fetch(dataset.url, {
          method: "POST",
          credentials: "same-origin",
          body: new URLSearchParams({
            action: dataset.action,
            nonce: dataset.nonce,
            order: dataset.order ?? "",
            ask: question,
          }),
        });
        const { html } = await response.json();
        if (typeof html !== "string") throw new Error("No answer of ours.");
        answer.innerHTML = html;
      } catch {
        answer.textContent = dataset.lost;
      } finally {
        for (const button of buttons) button.disabled = false;
      }
    }
  }
})();
