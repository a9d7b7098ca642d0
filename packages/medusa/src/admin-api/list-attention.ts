import { hasNoResult, type Payment } from "@tillkit/core";
import { paymentsToDecide } from "@tillkit/core/back-office";
import { forgetNoted, listNoted } from "../refunds/attention-list.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { readPayment } from "./back-office.ts";
import { findProblem } from "./payment-problem.ts";

/**
 * The payments that need attention although their state needs no review, newest first: noted payments, and payments about whose money a
 * person must decide. Removes the notes that are no longer needed.
 */
export async function listAttention(runtime: CheckoutRuntime): Promise<readonly Payment[]> {
  const { ledger, options, engine } = runtime;
  const found = new Map<string, Payment>();
  for (const id of await listNoted(runtime)) {
    const payment = await ledger.find({ id });
    const read = payment && (await readPayment(runtime, payment));
    if (read && findProblem(read)) found.set(id, payment);
    // A refund that was sent again may fail again, within days.
    else if (!read?.view.movements.refunds.some(hasNoResult)) await forgetNoted(runtime, id);
  }
  for (const payment of await paymentsToDecide(ledger, options.storeId, engine.clock.now())) {
    if (findProblem(await readPayment(runtime, payment))) found.set(payment.id, payment);
  }
  return [...found.values()].sort((left, right) => right.createdAt - left.createdAt);
}
