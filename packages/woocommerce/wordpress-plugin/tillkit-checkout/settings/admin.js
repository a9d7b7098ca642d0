/** The buttons of the order box and the health panel. Each shows the response of the shop, whose HTML is escaped. */
(() => {
  for (const box of document.querySelectorAll("[data-tillkit-call]")) {
    const { dataset } = box;
    const answer = box.querySelector("[data-tillkit-answer]");
    const buttons = [...box.querySelectorAll("[data-tillkit-purpose]")];
    for (const button of buttons) {
      button.addEventListener("click", () => load(button.dataset.tillkitPurpose));
    }
    if (dataset.load === "yes") void load("status");

    async function load(purpose) {
      for (const button of buttons) button.disabled = true;
      try {
        const response = await fetch(dataset.url, {
          method: "POST",
          credentials: "same-origin",
          body: new URLSearchParams({
            action: dataset.action,
            nonce: dataset.nonce,
            order: dataset.order ?? "",
            purpose,
          }),
        });
        const { html } = await response.json();
        if (typeof html !== "string") throw new Error("The response has no HTML.");
        answer.innerHTML = html;
      } catch {
        answer.textContent = dataset.failureText;
      } finally {
        for (const button of buttons) button.disabled = false;
      }
    }
  }
})();
