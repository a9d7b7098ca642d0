import { expect, it } from "vitest";
import { decide, refundOffered, viewPaymentAnew } from "../../src/back-office.ts";
import { addDashboardRefund, deliver, fixtureWithPaidOrder, francs, refundedTotal } from "./refund-steps.ts";

it("what a transaction received beyond the refunded amount is offered, and goes back with the click that takes it", async () => {
  const { fixture, paymentId } = await fixtureWithPaidOrder();
  const { engine, ledger } = fixture;
  addDashboardRefund(fixture, 5_000);
  await deliver(fixture, "refunded", "REFUND_SUCCEEDED", { checkout_session_id: "session-1", refund_id: "refund-9" });
  const refunded = await fixture.expectPaymentIn("refunded");
  const [read] = await ledger.transactions(paymentId);
  if (!read) throw new Error("The transaction is missing.");
  for (const session of fixture.service.sessions.values()) session.overrides = { wireAmount: 6_000 };
  await ledger.commit({ transactions: [{ ...read, amount: francs(6_000) }], timeline: [] });
  const office = { engine, acts: ledger };
  const view = await viewPaymentAnew(office, refunded);
  expect(refundOffered(view)).toEqual(francs(1_000));
  const person = { by: "Adjoua", right: "operator", storeId: null } as const;
  const choice = { kind: "refund", transactionId: null, amount: null } as const;
  const decided = await decide(office, { ...choice, paymentId, person, seen: view.seen });
  expect(decided).toMatchObject({ status: "done", refund: { amount: francs(1_000), state: "completed" } });
  expect(refundedTotal(fixture)).toBe(6_000);
});
