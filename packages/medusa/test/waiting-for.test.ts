import type { JobError, Payment } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { createMemoryLedger } from "@tillkit/core/memory";
import { expect, it } from "vitest";
import { readWaitingFor } from "../src/admin-api/waiting-for.ts";

const PAYMENT: Payment = {
  ...NEW_PAYMENT_DEFAULTS,
  id: "p1",
  ref: { storeId: "hats", orderId: "paycol_1" },
  orderNumber: "1042",
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
  state: "verified",
};

it("what a payment waits for is made from the error's fields, whatever its sentence says", async () => {
  const ledger = createMemoryLedger();
  const error: JobError = { code: "unavailable", message: "Some shop said (sql_error)." };
  const text = async (reason: Pick<JobError, "reason">) =>
    (await readWaitingFor({ ledger }, PAYMENT, "fr", { ...error, ...reason }))?.text;
  expect(await text({ reason: { kind: "platform_error", code: "not_allowed" } })).toBe(
    "Medusa n’a pas encore validé le panier (not_allowed). Son journal en donne la raison.",
  );
  expect(await text({})).toBe("Medusa n’a pas encore validé le panier. Son journal en donne la raison.");
});
