import { expect, it } from "vitest";
import type { View } from "../../src/back-office/decision.ts";
import { viewOf } from "../../src/back-office/offers.ts";
import { prepareRefund, refundSubjectOf } from "../../src/back-office/prepare-refund.ts";
import { refusalOf } from "../../src/back-office/refusals.ts";
import { CheckoutError } from "../../src/domain/checkout-error.ts";
import { dispute, NO_HOST, NOW, payment, refund, viewWith, xof } from "./samples.ts";

/** What a person reads who would refund this much of what the view shows. */
function preparing(view: View, minor: number, more: { confirmed?: number; id?: string; currency?: string } = {}) {
  const subject = refundSubjectOf(view);
  if (!subject) throw new Error("The payment has no transaction.");
  const { confirmed, currency = "XOF", id } = more;
  const sum = confirmed === undefined ? null : xof(confirmed);
  const draft = { amount: { minor, currency }, confirmed: sum, ...(id === undefined ? {} : { id }) };
  const { why, disputed } = prepareRefund(view, subject, draft);
  return [why?.kind ?? "possible", disputed?.minor ?? null];
}

it("a person learns before they confirm what a refund would meet", () => {
  const view = viewWith([refund]);
  expect(preparing(view, 27_500)).toEqual(["possible", null]);
  expect(preparing(view, 27_501)).toEqual(["too_large", null]);
  expect(preparing(view, 0)).toEqual(["amount_invalid", null]);
  expect(preparing(viewWith([{ ...refund, amount: xof(32_500) }]), 1)).toEqual(["nothing_left", null]);
  expect(preparing(viewWith([], [], { state: "open", amountReceived: null }), 1)).toEqual(["no_money", null]);
});

it("a refund over a dispute is possible only with the disputed sum that the person confirmed", () => {
  const view = viewWith([refund], [dispute]);
  expect(preparing(view, 1_500)).toEqual(["possible", null]);
  expect(preparing(view, 1_501)).toEqual(["over_dispute", 26_000]);
  expect(preparing(view, 1_501, { confirmed: 25_999 })).toEqual(["over_dispute", 26_000]);
  expect(preparing(view, 1_501, { confirmed: 26_000 })).toEqual(["possible", 26_000]);
  expect(preparing(view, 27_501, { confirmed: 26_000 })).toEqual(["too_large", null]);
});

it("more than a dispute holds is refused with the same sum before and after the refund is confirmed", () => {
  const view = viewWith([{ ...refund, amount: xof(6_500) }], [dispute]);
  const subject = refundSubjectOf(view);
  if (!subject) throw new Error("The payment has no transaction.");
  const refused = { kind: "too_large", most: xof(26_000) };
  expect(prepareRefund(view, subject, { amount: xof(30_000), confirmed: null }).why).toEqual(refused);
  expect(refusalOf(new CheckoutError("refund_too_large", "too much"), subject.offer, view)).toEqual(refused);
});

it("while a refund has no result no other one begins, and its own decision can be repeated", () => {
  const view = viewWith([{ ...refund, key: `decision:${payment.id}:lost-answer`, state: "unknown" }]);
  expect(preparing(view, 1_000)).toEqual(["refund_in_doubt", null]);
  expect(preparing(view, 5_000, { id: "lost-answer" })).toEqual(["possible", null]);
});

it("a transaction is named by its id or its code, and one that did not pay is no subject of a refund", () => {
  const one = { id: "tx-1", code: "txn_1", paymentId: payment.id, amount: xof(32_500), at: NOW } as const;
  const read = { ...one, isRead: true, evidence: "identity" } as const;
  const view = viewOf(payment, { transactions: [read], refunds: [], disputes: [] }, NO_HOST, NOW);
  expect(refundSubjectOf(view)?.equation.transactionId).toBe("tx-1");
  expect(refundSubjectOf(view, "txn_1")?.equation.transactionId).toBe("tx-1");
  expect(refundSubjectOf(view, "tx-1")?.offer.max).toEqual(xof(32_500));
  expect(refundSubjectOf(view, "tx-2")).toBeNull();
});
