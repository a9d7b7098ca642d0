import { type Payment, paymentsToDecide } from "@tillkit/core";
import { forgetNoted, listNoted } from "../refunds/attention-list.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { findProblems, needsAttention } from "./payment-problems.ts";

/**
 * The payments that need attention although their state needs no review, newest first: noted payments, and payments about whose money a
 * person must decide. Removes the notes that are no longer needed.
 */
export async function listAttention(runtime: CheckoutRuntime): Promise<readonly Payment[]> {
  const { ledger, options, engine } = runtime;
  const found = new Map<string, Payment>();
  for (const id of await listNoted(runtime)) {
    const payment = await ledger.find({ id });
    const problems = payment && (await findProblems(runtime, payment));
    if (problems && needsAttention(problems)) found.set(id, payment);
    else if (!problems || !hasRefundUnderWay(await ledger.refunds(id))) await forgetNoted(runtime, id);
  }
  for (const payment of await paymentsToDecide(ledger, options.storeId, engine.clock.now())) {
    if (needsAttention(await findProblems(runtime, payment))) found.set(payment.id, payment);
  }
  return [...found.values()].sort((left, right) => right.createdAt - left.createdAt);
}

// A refund that was sent again may fail again, within days.
function hasRefundUnderWay(refunds: readonly { readonly state: string }[]): boolean {
  return refunds.some(({ state }) => state === "requested" || state === "unknown" || state === "pending");
}
