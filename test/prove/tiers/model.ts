import fc from "fast-check";
import { handwrittenScripts } from "../model/handwritten-scripts.ts";
import { play } from "../model/play.ts";
import { type Script, scripts } from "../model/steps.ts";
import { type Outcome, repeatCommand, type Slice, type Tier, type Violation } from "../tier.ts";

/** Handwritten and random histories. A history that violates an invariant is shrunk to the shortest one that still does. */
export const model: Tier = {
  id: "T1",
  title: "no invariant is violated, whatever shoppers, owners and networks do, and in whatever order",
  cases: 20_000,
  quick: 400,
  slice: 250,
  exclusive: false,
  run,
};

async function run({ seed, from, to }: Slice): Promise<Outcome> {
  const violations: Violation[] = [];
  const figures: Record<string, number> = {};
  for (let number = from; number < to; number += 1) {
    const why = await tryCase(seed, number, (name, count) => {
      figures[name] = (figures[name] ?? 0) + count;
    });
    if (why !== null) violations.push({ case: number, why, again: repeatCommand("T1", seed, number) });
  }
  return { cases: to - from, violations, figures };
}

async function tryCase(
  seed: number,
  number: number,
  addFigure: (name: string, count: number) => void,
): Promise<string | null> {
  const property = fc.asyncProperty(scripts, async (script) => {
    const { violations, seen } = await play(script);
    if (violations.length > 0) throw new Error(violations.join("; "));
    for (const [name, count] of Object.entries(seen)) addFigure(name, count);
  });
  const handwritten = handwrittenScripts[number];
  if (handwritten) return await tryHandwritten(handwritten);
  // Odd factors make neighbouring seeds and cases draw unrelated histories.
  const caseSeed = (Math.imul(seed, 0x9e3779b1) + Math.imul(number, 0x85ebca6b)) | 0;
  const { failed, counterexample, errorInstance } = await fc.check(property, {
    seed: caseSeed,
    numRuns: 1,
    unbiased: true,
  });
  if (!failed) return null;
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return `${why}\n${counterexample ? toCode(counterexample[0]) : ""}`;
}

async function tryHandwritten(script: Script): Promise<string | null> {
  const { violations } = await play(script);
  return violations.length === 0 ? null : `${violations.join("; ")}\n${toCode(script)}`;
}

/** The shortest violating history as code to paste into a file in test/prove/model and run. */
function toCode({ steps, ...rest }: Script): string {
  const lines = steps.map((step) => `    ${JSON.stringify(step)},`);
  const settings = JSON.stringify(rest).slice(1, -1);
  return ["console.log(", `  await play({ ${settings}, steps: [`, ...lines, "  ] }),", ");"].join("\n");
}
