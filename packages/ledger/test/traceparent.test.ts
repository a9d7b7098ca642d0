import type { Payment } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { expect, test } from "vitest";
import { openLedger } from "../src/index.ts";

const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

const PAYMENT: Payment = {
  ...NEW_PAYMENT_DEFAULTS,
  id: "p1",
  ref: { storeId: "hats", orderId: "1" },
  orderNumber: "1",
  attempt: "",
  environment: "test",
  account: null,
  credentialId: "key",
  createdAt: 0,
  amountDue: { minor: 5_000, currency: "XOF" },
  wireAmount: 5_000,
  request: "{}",
  reference: "p1.mac",
  session: null,
  state: "intent",
};

test("the trace of a checkout stays with its payment, and an untraced payment has no trace", async () => {
  const ledger = await openLedger("sqlite::memory:");
  const traced = { ...PAYMENT, traceparent: TRACEPARENT };
  await ledger.commit({ payment: { next: traced, expect: "new" }, timeline: [] });
  await ledger.commit({ payment: { next: { ...traced, checks: 1, version: 2 }, expect: 1 }, timeline: [] });
  expect(await ledger.find({ id: "p1" })).toEqual({ ...traced, checks: 1, version: 2 });
  const other: Payment = { ...PAYMENT, id: "p2", ref: { storeId: "hats", orderId: "2" }, reference: "p2.mac" };
  await ledger.commit({ payment: { next: other, expect: "new" }, timeline: [] });
  expect(await ledger.find({ id: "p2" })).toEqual(other);
  await ledger.close();
});
