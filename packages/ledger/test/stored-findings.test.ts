import type { Finding, Payment } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { expect, test } from "vitest";
import { openLedger } from "../src/index.ts";

const OLD = { code: "total_changed", expected: "5000 XOF", found: "5500 XOF" };
const FACTS: Finding = {
  code: "total_changed",
  expected: { minor: 5_000, currency: "XOF" },
  found: { minor: 5_500, currency: "XOF" },
};

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
  state: "review",
  finding: FACTS,
  waiver: { finding: FACTS, by: "Adjoua", at: 1 },
};

test("the finding and the waiver in a row of the first versions are read as facts", async () => {
  const ledger = await openLedger("sqlite::memory:");
  const finding = OLD as unknown as Finding;
  const stored = { ...PAYMENT, finding, waiver: { finding, by: "Adjoua", at: 1 } };
  await ledger.commit({ payment: { next: stored, expect: "new" }, timeline: [] });
  expect(await ledger.find({ id: "p1" })).toEqual(PAYMENT);
  await ledger.close();
});
