import { createMemoryLedger } from "@tillkit/core/memory";
import { createManualClock } from "@tillkit/testkit";
import { expect, test } from "vitest";
import { createLedgerCounts } from "../src/observability/ledger-counts.ts";

/** A ledger whose payments take `countMs` to count, as millions of rows do. */
function openLedger({ countMs }: { readonly countMs: number }) {
  const ledger = createMemoryLedger();
  const clock = createManualClock();
  const countPayments = ledger.countPayments;
  let timesCounted = 0;
  let elapsedMs = 0;
  ledger.countPayments = async () => {
    timesCounted += 1;
    elapsedMs += countMs;
    return await countPayments();
  };
  const count = createLedgerCounts(ledger, clock, { timer: () => elapsedMs });
  return { clock, count, times: () => timesCounted };
}

test("a small ledger is counted on each call", async () => {
  const { count, times } = openLedger({ countMs: 0 });
  await count();
  await count();
  expect(times()).toBe(2);
});

test("slow counts of a ledger are cached for a hundred times as long as the counting took", async () => {
  const { clock, count, times } = openLedger({ countMs: 150 });
  expect(await count()).toEqual(await count());
  await clock.advance(14_999);
  await count();
  expect(times()).toBe(1);
  await clock.advance(1);
  await count();
  expect(times()).toBe(2);
});
