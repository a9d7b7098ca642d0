import { type Html, html } from "../../pages/html.ts";

/** The colour of each state: good news, bad news, or something that waits. Other states are grey. */
const tones: Record<string, "good" | "bad" | "wait"> = {
  completed: "good",
  delivered: "good",
  active: "good",
  approved: "good",
  won: "good",
  failed: "bad",
  suspended: "bad",
  lost: "bad",
  pending: "wait",
  waiting: "wait",
  held: "wait",
  open: "wait",
  requested: "wait",
  invited: "wait",
  pending_member_acceptance: "wait",
  pending_review: "wait",
  restricted: "wait",
};

/** A coloured badge. It always contains the state as text. */
export function badge(state: string): Html {
  return html`<span class="badge ${toneOf(state)}">${state.replaceAll("_", " ")}</span>`;
}

/** The tone of a state or of an HTTP status. Error statuses are `bad`. */
function toneOf(state: string): string | undefined {
  if (/^[45]\d\d$/.test(state)) return "bad";
  return Object.hasOwn(tones, state) ? tones[state] : undefined;
}
