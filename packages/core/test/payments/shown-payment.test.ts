import { expect, test } from "vitest";
import type { Payment } from "../../src/domain/payment.ts";
import { PAYMENT_STATES, type PaymentState } from "../../src/domain/payment-states.ts";
import { shownPayment } from "../../src/payments/shown-payment.ts";
import { aPayment } from "../fixture/samples.ts";

/** Payments of one order in these states, oldest first; the id of each is its index. */
function paymentsOfOneOrder(states: readonly PaymentState[], change: Partial<Payment> = {}): Payment[] {
  return states.map((state, index) => aPayment({ id: `${index}`, createdAt: index, state, ...change }));
}

test.each<readonly [string, readonly PaymentState[], string]>([
  ["the recorded payment although an older duplicate was refunded", ["refunded", "recorded"], "1"],
  ["the recorded payment although a newer duplicate is being refunded", ["recorded", "refunding"], "0"],
  ["the verified payment rather than a payment that is being refunded", ["refunding", "verified"], "1"],
  ["the payment that is being refunded rather than a refunded payment", ["refunded", "refunding"], "1"],
  ["the refunded payment when no other money arrived", ["expired", "refunded", "open"], "1"],
])("an order shows %s", (_what, states, id) => {
  expect(shownPayment(paymentsOfOneOrder(states))?.id).toBe(id);
});

test.each<readonly [string, readonly PaymentState[]]>([
  ["is held or a duplicate", ["review", "duplicate"]],
  ["has not arrived", ["intent", "open", "superseded", "expired", "closed"]],
])("an order shows no payment that %s", (_what, states) => {
  expect(shownPayment(paymentsOfOneOrder(states))).toBeNull();
  for (const state of states) expect(shownPayment(paymentsOfOneOrder([state]))).toBeNull();
});

test("an order whose payments were all refunded shows the payment that was written to the store", () => {
  const written = aPayment({ id: "written", createdAt: 1, state: "refunded", storeTries: 1 });
  const duplicates = [0, 2].map((createdAt) =>
    aPayment({ id: `never written ${createdAt}`, createdAt, state: "refunded" }),
  );
  expect(shownPayment([...duplicates, written])?.id).toBe("written");
  expect(shownPayment(duplicates)?.id).toBe("never written 2");
});

test("an order may still show a written and refunded payment after the next payment was verified", () => {
  const written = aPayment({ id: "written", state: "refunded", storeTries: 5 });
  const next = aPayment({ id: "next", createdAt: 1, state: "verified", storeTries: 1 });
  expect(shownPayment([written, next])?.id).toBe("written");
  expect(shownPayment([written, { ...next, state: "recorded" }])?.id).toBe("next");
});

test("which payment an order shows does not depend on how its payments are sorted", () => {
  for (const older of PAYMENT_STATES) {
    for (const newer of PAYMENT_STATES) {
      const payments = paymentsOfOneOrder([older, newer]);
      expect(shownPayment([...payments].reverse())).toEqual(shownPayment(payments));
    }
  }
});
