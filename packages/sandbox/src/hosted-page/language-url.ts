import type { SessionView } from "./session-view.ts";

/** The URL of the same page in the other language. `page` is its path below the session. */
export function switchUrl(view: SessionView, page = ""): string {
  const other = view.texts.language === "fr" ? "en" : "fr";
  return `${view.pageUrl(page).split("?")[0]}?lang=${other}`;
}
