import { type Html, html } from "./html.ts";

export type Mood = "turning" | "good" | "care" | "calm";

/** The picture above the heading. It says nothing that the heading does not say. */
export function sign(mood: Mood): Html {
  return html`<div class="sign ${mood}"><svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${DRAWINGS[mood]}</svg></div>`;
}

const DRAWINGS: Readonly<Record<Mood, Html>> = {
  turning: html`<circle cx="12" cy="12" r="9" opacity=".25"/><path class="turn" d="M12 3a9 9 0 0 1 9 9"/>`,
  good: html`<path d="M5 12.8l4.6 4.6L19 7.6"/>`,
  care: html`<path d="M12 6.5v6.8M12 17.3v.1"/>`,
  calm: html`<circle cx="12" cy="12" r="8.6"/><path d="M12 7.4V12l3 2"/>`,
};
