/**
 * The only script of the operators' pages; everything works without it. `/` focuses the search, `j` and `k` move through the rows of a
 * list, and Enter opens the row because its link has the focus. Nothing happens while somebody types.
 */
export const operatorScript = `
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input,select,textarea")) return;
  if (event.key === "/") {
    const field = [...document.querySelectorAll("input[type=search]")].find((input) => input.offsetParent !== null);
    if (field === undefined) return;
    event.preventDefault();
    field.focus();
    field.select();
  } else if (event.key === "j" || event.key === "k") {
    const links = [...document.querySelectorAll(".list tbody a.open")];
    const row = document.activeElement.closest("tr");
    const at = links.findIndex((link) => row !== null && row.contains(link));
    const to = links[event.key === "j" ? at + 1 : Math.max(0, at - 1)];
    if (to !== undefined) to.focus();
  }
});
`.trim();
