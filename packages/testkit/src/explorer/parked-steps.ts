import type { ExploredProcess } from "./explored-process.ts";
import type { ParkedStep } from "./step.ts";

/** All calls that wait for their turn, oldest first. */
export type ParkedSteps = {
  add(step: ParkedStep): void;
  remove(step: ParkedStep): void;
  /** Forgets what a dead process wanted to send. */
  removeOf(process: ExploredProcess): void;
  all(): readonly ParkedStep[];
  /** The steps that can be released at this moment: a frozen process sends nothing. */
  available(now: number): readonly ParkedStep[];
};

export function createParkedSteps(): ParkedSteps {
  let steps: ParkedStep[] = [];
  return {
    add: (step) => {
      steps.push(step);
    },
    remove: (step) => {
      steps.splice(steps.indexOf(step), 1);
    },
    removeOf: (process) => {
      steps = steps.filter((step) => step.process !== process || step.port === "work");
    },
    all: () => steps,
    available: (now) =>
      steps.filter(({ process, port }) => process === null || port === "work" || process.frozenUntil <= now),
  };
}
