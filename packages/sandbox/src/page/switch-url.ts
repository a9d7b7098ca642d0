import type { View } from "./view.ts";

/** The same page in the other language. */
export function switchUrl(view: View, page = ""): string {
  const other = view.words.language === "fr" ? "en" : "fr";
  return `${view.address(page).split("?")[0]}?lang=${other}`;
}
