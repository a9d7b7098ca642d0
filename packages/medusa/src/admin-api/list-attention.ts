import type { Payment } from "@tillkit/core";
import { forgetNoted, listNoted } from "../refunds/attention-list.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { findProblems, needsAttention } from "./payment-problems.ts";

/** The noted payments that still need attention, newest first. Removes the notes that are no longer needed. */
export async function listAttention(runtime: CheckoutRuntime): Promise<readonly Payment[]> {
  const found: Payment[] = [];
  for (const id of await listNoted(runtime)) {
    const payment = await runtime.ledger.find({ id });
    const problems = payment && (await findProblems(runtime, payment));
    if (problems && needsAttention(problems)) found.push(payment);
    else if (!problems || !hasRefundUnderWay(await runtime.ledger.refunds(id))) await forgetNoted(runtime, id);
  }
  return found.sort((left, right) => right.createdAt - left.createdAt);
}

// A refund that was sent again may fail again, within days.
function hasRefundUnderWay(refunds: readonly { readonly state: string }[]): boolean {
  return refunds.some(({ state }) => state === "requested" || state === "unknown" || state === "pending");
}
