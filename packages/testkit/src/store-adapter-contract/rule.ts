import { strict as assert } from "node:assert";
import { randomUUID } from "node:crypto";
import {
  codeOf,
  type Money,
  money,
  type Receipt,
  type StoreAdapter,
  type StoreAnswer,
  type WritingMember,
  writeClassOf,
} from "@tillkit/core";
import type { OrderInput, PlacedOrder } from "../stores/miniature-store.ts";
import { type Capability, currenciesOf, type StoreAdapterHarness } from "./harness.ts";

/** One rule and its check in a fresh shop. */
export type Rule = {
  readonly title: string;
  readonly needs: readonly Capability[];
  /** What the author of an adapter does when the rule is violated. */
  readonly advice: string;
  /** @throws Error with what was expected, what happened, and the advice, if the adapter violates the rule */
  check(harness: StoreAdapterHarness): Promise<void>;
};

/** A rule of the contract, with the page that explains what it protects. */
export type StoreAdapterRule = Rule & {
  /** The page's path below the author's `node_modules`, such as `@tillkit/core/docs/concepts/writes.md`. */
  readonly page: string;
};

/** The rule, with its advice and its page in every error of its check. */
export function withAdvice(rule: StoreAdapterRule): StoreAdapterRule {
  return {
    ...rule,
    check: (harness) =>
      rule.check(harness).catch((error: unknown) => {
        const message = error instanceof Error ? error.message.trim() : String(error);
        const advice = `What to do: ${rule.advice}\nRead: node_modules/${rule.page}`;
        throw new Error(`${message}\n${advice}`, { cause: error });
      }),
  };
}

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

/** The fence of the newest receipt. Each receipt gets a greater fence. */
let lastFence = 0;

/** Creates the receipt of a new payment of the order. */
export function receiptFor(
  harness: StoreAdapterHarness,
  { ref, attempt }: PlacedOrder,
  paid = someTotal(harness),
): Receipt {
  lastFence += 1;
  return {
    paymentId: randomUUID(),
    ref,
    attempt,
    sessionId: `cs_${randomUUID()}`,
    transactionId: null,
    paid,
    total: paid,
    environment: harness.environment,
    fence: lastFence,
  };
}

/** Marks the order paid by a new payment and returns the receipt. */
export async function markPaid(harness: StoreAdapterHarness, placed: PlacedOrder): Promise<Receipt> {
  const receipt = receiptFor(harness, placed);
  assertOutcome("markPaid", await harness.adapter.markPaid(receipt), "recorded");
  return receipt;
}

/** The owner marks the order paid without a payment of ours, such as for cash. */
export async function payOutside(harness: StoreAdapterHarness, placed: PlacedOrder): Promise<void> {
  await requirePart(harness, "payOutside")(placed);
  const times = await harness.probe.timesPaid(placed);
  assert.ok(
    times === 0,
    `probe.timesPaid must count only what markPaid caused, but it returned ${times} after payOutside: do not count a payment outside Tillkit.`,
  );
}

/** Checks the outcome that a writing method of the adapter returned. */
export function assertOutcome(
  method: WritingMember,
  answer: StoreAnswer,
  ...expected: readonly StoreAnswer["outcome"][]
): void {
  const outcomes = expected.map((outcome) => `"${outcome}"`).join(" or ");
  assert.ok(
    expected.includes(answer.outcome),
    `${method} must return the outcome ${outcomes}, but it returned ${JSON.stringify(answer)}.`,
  );
}

/** Checks that the shop marked the order paid once and shows the receipt's payment. */
export async function assertPaidOnce(
  harness: StoreAdapterHarness,
  placed: PlacedOrder,
  receipt: Receipt,
): Promise<void> {
  const [times, paidBy] = [await harness.probe.timesPaid(placed), await harness.probe.paidBy(placed)];
  assert.ok(times === 1, `markPaid must mark the order paid exactly once, but the shop shows ${times} times.`);
  const shown = `but the shop shows ${paidBy ?? "none"}`;
  assert.ok(paidBy === receipt.paymentId, `The order must show payment ${receipt.paymentId}, ${shown}.`);
}

export async function assertUnpaid(harness: StoreAdapterHarness, placed: PlacedOrder): Promise<void> {
  const [times, paidBy] = [await harness.probe.timesPaid(placed), await harness.probe.paidBy(placed)];
  assert.ok(times === 0, `The order must stay unpaid, but the shop marked it paid ${times} times.`);
  assert.ok(paidBy === null, `The order must show no payment, but the shop shows ${paidBy}.`);
}

export async function assertThrows(
  method: "findOrder" | WritingMember,
  work: Promise<unknown>,
  code: "unavailable" | "unknown",
): Promise<void> {
  const expected = `${method} must throw a StoreError with the code "${code}"`;
  const error = await work.then(
    (value) => assert.fail(`${expected}, but it returned ${JSON.stringify(value)}.`),
    (thrown: unknown) => thrown,
  );
  if (error instanceof assert.AssertionError) throw error;
  assert.ok(codeOf(error) === code, `${expected}, but it threw ${String(error)}.`);
}

/** Waits until another write may start. A member whose writes are not conditional needs `settleAfterMs` after its last write. */
export async function waitUntilSettled(
  harness: StoreAdapterHarness,
  adapter: StoreAdapter = harness.adapter,
  member: WritingMember = "markPaid",
): Promise<void> {
  const writes = writeClassOf(adapter, member);
  if (writes.kind === "read-then-write") await requirePart(harness, "network").advanceTime(writes.settleAfterMs);
}
