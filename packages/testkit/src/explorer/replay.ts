import type { Violation } from "../invariants/invariant.ts";
import { type Deviation, runSchedule } from "./run-schedule.ts";
import type { Scenario } from "./scenario.ts";

/** `12.3,30.1`: at decision 12 option 3, at decision 30 option 1. `-`: the default everywhere. */
export function formatDeviations(deviations: readonly Deviation[]): string {
  return deviations.map(({ at, option }) => `${at}.${option}`).join(",") || "-";
}

/** @throws Error if the text is no list of deviations */
export function parseDeviations(text: string): readonly Deviation[] {
  if (text === "-") return [];
  return text.split(",").map((pair) => {
    const [, at, option] = /^(\d+)\.(\d+)$/.exec(pair) ?? [];
    if (at === undefined || option === undefined) throw new Error(`"${pair}" is no deviation such as 12.3.`);
    return { at: Number(at), option: Number(option) };
  });
}

export type Replay = { readonly violations: readonly Violation[]; readonly story: readonly string[] };

/** Plays one schedule and tells each of its steps, with seconds since its beginning. `✗` marks a fault, `↷` another choice than the default. */
export async function replay(scenario: Scenario, deviations: readonly Deviation[]): Promise<Replay> {
  const { history, violations } = await runSchedule(scenario, deviations, { isTold: true });
  const beganAt = history[0]?.at ?? 0;
  const story = history.map(({ at, text }) => `${((at - beganAt) / 1_000).toFixed(1).padStart(9)} s  ${text}`);
  return { violations: violations ?? [], story };
}
