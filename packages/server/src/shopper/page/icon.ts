import { type Html, html } from "../../pages/html.ts";

export type Icon = "spinner" | "success" | "warning" | "clock";

/** The drawing above the heading. It is hidden from screen readers, because the heading says the same. */
export function icon(name: Icon): Html {
  return html`<div class="icon ${name}"><svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${DRAWINGS[name]}</svg></div>`;
}

const DRAWINGS: Readonly<Record<Icon, Html>> = {
  spinner: html`<circle cx="12" cy="12" r="9" opacity=".25"/><path class="turn" d="M12 3a9 9 0 0 1 9 9"/>`,
  success: html`<path d="M5 12.8l4.6 4.6L19 7.6"/>`,
  warning: html`<path d="M12 6.5v6.8M12 17.3v.1"/>`,
  clock: html`<circle cx="12" cy="12" r="8.6"/><path d="M12 7.4V12l3 2"/>`,
};
