import { type Html, html } from "../../pages/html.ts";
import type { ConsoleTexts } from "../texts/texts.ts";

/** The colour of each state: good news, bad news, or something that waits. Other states are grey. */
const tones: Record<string, "good" | "bad" | "care"> = {
  completed: "good",
  delivered: "good",
  active: "good",
  approved: "good",
  won: "good",
  failed: "bad",
  suspended: "bad",
  lost: "bad",
  pending: "care",
  waiting: "care",
  held: "care",
  open: "care",
  requested: "care",
  invited: "care",
  pending_member_acceptance: "care",
  pending_review: "care",
  restricted: "care",
};

/** A coloured badge. It always contains the state as text. */
export function badge(texts: ConsoleTexts, state: string): Html {
  return html`<span class="badge ${toneOf(state)}">${texts.state(state)}</span>`;
}

/** The tone of a state or of an HTTP status. Error statuses are `bad`. */
function toneOf(state: string): string | undefined {
  if (/^[45]\d\d$/.test(state)) return "bad";
  return Object.hasOwn(tones, state) ? tones[state] : undefined;
}
