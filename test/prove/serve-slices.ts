import { type Outcome, repeatCommand, type Slice, type Tier } from "./tier.ts";

type Assignment = { readonly tier: string; readonly slice: Slice };

/** Runs the slices that the parent process sends, one after another, until the parent disconnects. */
export function serveSlices(tiers: readonly Tier[]): void {
  // Ctrl-C also reaches this process; the parent decides when it stops.
  process.on("SIGINT", () => {});
  process.on("disconnect", () => process.exit());
  process.on("message", async (message) => {
    process.send?.(await run(tiers, message as Assignment));
  });
  process.send?.("ready");
}

async function run(tiers: readonly Tier[], { tier: id, slice }: Assignment): Promise<Outcome> {
  const tier = tiers.find((candidate) => candidate.id === id);
  if (!tier) throw new Error(`There is no tier ${id}.`);
  try {
    return await tier.run(slice);
  } catch (error) {
    // A tier that throws has tested nothing, so the error counts as a violation.
    const why = `the tier itself failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    return { cases: 0, violations: [{ case: slice.from, why, again: repeatCommand(tier.id, slice.seed, slice.from) }] };
  }
}
