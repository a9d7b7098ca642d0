import type { StoreAdapter } from "@tillkit/core";
import { createCallbackStore, createManualClock, skipReason, storeAdapterRules } from "@tillkit/testkit";
import { expect, it } from "vitest";
import { miniatureHarness, ONE_ATTEMPT } from "./miniature-harness.ts";

const TITLE = "a note that several processes write at the same time is written once";

it("the contract rejects an adapter that looks for notes before it writes them, and declares that the shop refuses a second one", async () => {
  await expect(checkNotes(looksFirst)).rejects.toThrow("The order must have the note once, but has it 3 times.");
  await checkNotes((adapter) => adapter);
});

it("the contract does not ask for it where the adapter declares that the shop refuses no second note", async () => {
  const memberWrites = { addNote: { kind: "read-then-write", settleAfterMs: 120_000 } } as const;
  const skipped = await checkNotes((adapter) => ({ ...looksFirst(adapter), memberWrites }));
  expect(skipped).toBe("this platform has no conditional write of notes");
});

/** Calls at the same time look for the note before any of them has written it. */
function looksFirst(adapter: StoreAdapter): StoreAdapter {
  const written = new Set<string>();
  let calls = 0;
  return {
    ...adapter,
    async addNote(ref, key, text) {
      const isKnown = written.has(key);
      await Promise.resolve();
      written.add(key);
      calls += 1;
      if (!isKnown) await adapter.addNote?.(ref, `${key} ${calls}`, text);
    },
  };
}

/** Checks the rule in a shop with this adapter, or returns why it is skipped. */
async function checkNotes(damage: (correct: StoreAdapter) => StoreAdapter): Promise<string | null> {
  const rule = storeAdapterRules.find(({ title }) => title === TITLE);
  if (!rule) throw new Error(`No rule says: ${TITLE}`);
  const clock = createManualClock();
  const store = createCallbackStore({ clock, authorize: async () => ({ status: "paid" }) });
  const harness = { ...miniatureHarness(store, clock, { unsupported: ONE_ATTEMPT }), adapter: damage(store.connect()) };
  const skipped = skipReason(rule, harness);
  if (skipped === null) await rule.check(harness);
  return skipped;
}
