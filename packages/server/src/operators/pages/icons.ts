import { type Html, html } from "../../pages/html.ts";

/** Lines on a square of 24, drawn with the colour of the text beside them. */
const LINES = {
  overview: "M4 13h6V4H4zM14 20h6v-9h-6zM14 7h6V4h-6zM4 20h6v-3H4z",
  payments: "M3 6h18v12H3zM3 10h18M7 15h4",
  refunds: "M9 7 4 12l5 5M4 12h11a5 5 0 0 1 0 10h-2",
  disputes: "M12 3 2.5 20h19zM12 10v4.5M12 17.4v.2",
  export: "M12 3v12M7 10.5l5 5 5-5M4 20h16",
  technical: "M4 6h16v5H4zM4 13h16v5H4zM7.5 8.5h.1M7.5 15.5h.1",
  find: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 21 21",
  more: "M4 7h16M4 12h16M4 17h16",
} as const;

export type IconName = keyof typeof LINES;

export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${LINES[name]}"></path></svg>`;
}
