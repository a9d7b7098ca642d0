import type { Engine, Payment, PaymentStatus } from "@tillkit/core";
import type { ShopperRequest } from "./shopper-request.ts";

/** The payment's status as a waiting shopper sees it: `declined` when their latest try failed. */
export type ShownStatus = { readonly status: PaymentStatus["status"] | "declined"; readonly payment: Payment };

export async function shownStatusOf(
  { engine, waitingSince }: ShopperRequest,
  { status, payment }: PaymentStatus,
): Promise<ShownStatus> {
  const isDeclined =
    status === "waiting" && waitingSince !== null && (await wasDeclined(engine, payment, waitingSince));
  return { status: isDeclined ? "declined" : status, payment };
}

// A try that failed before the shopper came back does not count: the shopper is waiting for a later try.
async function wasDeclined(engine: Engine, payment: Payment, since: number): Promise<boolean> {
  const timeline = await engine.ledger.timeline({ paymentId: payment.id });
  return timeline.some(({ kind, at }) => kind === "attempt_failed" && at >= since);
}
