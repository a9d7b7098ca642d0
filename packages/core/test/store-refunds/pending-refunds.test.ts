import { expect, it } from "vitest";
import { endPendingRefunds, hasEndedAs } from "../../src/store-refunds.ts";
import { openShop } from "./store-steps.ts";

const STATUSES = ["completed", "failed"] as const;

it.each(STATUSES)("a pending refund that %s at the service ends so in the shop, and not before", async (status) => {
  const { fixture, paymentId, click } = await openShop();
  fixture.service.slowRefunds = true;
  await click(1_000);
  const row = { names: ["shop:1"], paymentId };
  const ended: unknown[] = [];
  async function* pending() {
    yield { names: ["another method"], paymentId };
    yield row;
  }
  const end = async (...values: unknown[]) => void ended.push(values);
  const host = { ledger: fixture.ledger, log: { warn() {} } };
  await endPendingRefunds(host, pending(), end);
  expect(ended).toEqual([]);
  const as = status === "completed" ? "made" : "failed";
  expect(await hasEndedAs(fixture.ledger, row, as)).toBe(false);
  for (const refund of fixture.service.refunds) refund.status = status;
  await fixture.clock.advance(24 * 3_600_000);
  await fixture.work();
  await endPendingRefunds(host, pending(), end);
  expect(ended).toEqual([[row, as, "refund-1"]]);
  expect([await hasEndedAs(fixture.ledger, row, "made"), await hasEndedAs(fixture.ledger, row, "failed")]).toEqual(
    STATUSES.map((one) => one === status),
  );
});
