// Shows that the pay button works: on a slow network the payment page needs seconds, and a button that does nothing is pressed twice.
// Without this script the form works as well; the server makes one order of two presses.
document.addEventListener("submit", (event) => {
  const form = event.target;
  const button = form.querySelector("button");
  if (!form.dataset.working || !button) return;
  if (button.getAttribute("aria-disabled") === "true") return event.preventDefault();
  form.dataset.label = button.innerHTML;
  button.setAttribute("aria-disabled", "true");
  button.textContent = form.dataset.working;
});

// The browser's back button shows the page as it was left.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-label]")) {
    const button = form.querySelector("button");
    button.innerHTML = form.dataset.label;
    button.removeAttribute("aria-disabled");
    delete form.dataset.label;
  }
});
