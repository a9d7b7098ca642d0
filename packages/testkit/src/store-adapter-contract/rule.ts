import { strict as assert } from "node:assert";
import { randomUUID } from "node:crypto";
import { codeOf, type Money, money, type Receipt, type StoreAdapter, type StoreAnswer } from "@tillkit/core";
import type { OrderInput, PlacedOrder } from "../stores/miniature-store.ts";
import { type Capability, currenciesOf, type StoreAdapterHarness } from "./harness.ts";

/** One rule and its check in a fresh shop. `check` rejects if the adapter violates the rule. */
export type StoreAdapterRule = {
  readonly title: string;
  readonly needs: readonly Capability[];
  check(harness: StoreAdapterHarness): Promise<void>;
};

/** Returns an optional part that the rule lists in `needs`, bound to its owner. */
export function requirePart<Owner extends object, Name extends keyof Owner & string>(
  owner: Owner,
  name: Name,
): NonNullable<Owner[Name]> {
  const value = owner[name];
  assert.ok(value !== undefined && value !== null, `The rule needs "${name}", and the harness does not have it.`);
  return (typeof value === "function" ? value.bind(owner) : value) as NonNullable<Owner[Name]>;
}

export function placeOrder(harness: StoreAdapterHarness, input: Partial<OrderInput> = {}): Promise<PlacedOrder> {
  return harness.placeOrder({ total: someTotal(harness), title: "Two baskets", language: "en", ...input });
}

/** An amount in the shop's first currency, with cents if the currency has them. */
export function someTotal(harness: StoreAdapterHarness): Money {
  const [currency] = currenciesOf(harness);
  return money(currency === "XOF" ? 5_000 : 1_999, currency);
}

let fences = 0;

/** Creates the receipt of a new payment of the order. */
export function receiptFor(
  harness: StoreAdapterHarness,
  { ref, attempt }: PlacedOrder,
  paid = someTotal(harness),
): Receipt {
  fences += 1;
  return {
    paymentId: randomUUID(),
    ref,
    attempt,
    sessionId: `cs_${randomUUID()}`,
    transactionId: null,
    paid,
    total: paid,
    environment: harness.environment,
    fence: fences,
  };
}

/** Marks the order paid by a new payment and returns the receipt. */
export async function markPaid(harness: StoreAdapterHarness, placed: PlacedOrder): Promise<Receipt> {
  const receipt = receiptFor(harness, placed);
  assertOutcome(await harness.adapter.markPaid(receipt), "recorded");
  return receipt;
}

export function assertOutcome(answer: StoreAnswer, ...expected: StoreAnswer["outcome"][]): void {
  assert.ok(expected.includes(answer.outcome), `Expected "${expected.join('" or "')}", got ${JSON.stringify(answer)}.`);
}

/** Checks that the shop itself shows exactly this payment. */
export async function assertPaidOnce(
  harness: StoreAdapterHarness,
  placed: PlacedOrder,
  receipt: Receipt,
): Promise<void> {
  assert.equal(await harness.probe.timesPaid(placed), 1, "The order must have been marked paid exactly once.");
  assert.equal(await harness.probe.paidBy(placed), receipt.paymentId, "The shop must show this payment.");
}

export async function assertUnpaid(harness: StoreAdapterHarness, placed: PlacedOrder): Promise<void> {
  assert.equal(await harness.probe.timesPaid(placed), 0, "The order must not have been marked paid.");
  assert.equal(await harness.probe.paidBy(placed), null, "The shop must show no payment.");
}

export async function assertThrows(work: Promise<unknown>, code: "unavailable" | "unknown"): Promise<void> {
  const error = await work.then(
    (value) => assert.fail(`Expected an error with the code "${code}", got ${JSON.stringify(value)}.`),
    (thrown: unknown) => thrown,
  );
  if (error instanceof assert.AssertionError) throw error;
  assert.equal(codeOf(error), code, `Expected the code "${code}", got: ${String(error)}`);
}

/** Waits until another write may start: `settleAfterMs` for a shop without conditional writes. */
export async function waitUntilSettled(
  harness: StoreAdapterHarness,
  adapter: StoreAdapter = harness.adapter,
): Promise<void> {
  const { writes } = adapter;
  if (writes.kind === "read-then-write") await requirePart(harness, "network").advanceTime(writes.settleAfterMs);
}
