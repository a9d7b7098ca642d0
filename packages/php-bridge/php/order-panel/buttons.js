/** The buttons of the order box and the health panel. Each shows the response of the shop, whose HTML is escaped. */
(() => {
  for (const box of document.querySelectorAll("[data-tillkit-call]")) {
    const { dataset } = box;
    const answer = box.querySelector("[data-tillkit-answer]");

    // The response may contain buttons too, so the box listens for all of them.
    box.addEventListener("click", ({ target }) => {
      const button = target.closest("[data-tillkit-purpose]");
      if (button && !button.disabled) void load(button.dataset.tillkitPurpose, fieldsOf(button));
    });
    // The box lies inside the form of the order screen, which the key Enter would send.
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !event.target.matches("[data-tillkit-field]")) return;
      event.preventDefault();
      event.target.closest("[data-tillkit-form]")?.querySelector("[data-tillkit-purpose]")?.click();
    });
    if (dataset.load === "yes") void load("status", {});

    async function load(purpose, fields) {
      setDisabled(true);
      try {
        const { html, reload } = await post({ purpose, ...fields });
        if (typeof html !== "string") throw new Error("The response has no HTML.");
        answer.innerHTML = html;
        if (reload === true) window.location.reload();
      } catch {
        answer.textContent = dataset.failureText;
      }
      setDisabled(false);
    }

    function setDisabled(isDisabled) {
      for (const button of box.querySelectorAll("[data-tillkit-purpose]")) button.disabled = isDisabled;
    }

    async function post(fields) {
      const { action, nonce, order = "" } = dataset;
      const body = new URLSearchParams({ action, nonce, order, ...fields });
      const response = await fetch(dataset.url, { method: "POST", credentials: "same-origin", body });
      return await response.json();
    }
  }

  function fieldsOf(button) {
    const fields = button.closest("[data-tillkit-form]")?.querySelectorAll("[data-tillkit-field]") ?? [];
    return Object.fromEntries([...fields].map((field) => [field.dataset.tillkitField, field.value]));
  }
})();
