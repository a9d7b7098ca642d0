import type { Engine, Payment, PaymentStatus } from "@tillkit/core";
import type { Visit } from "./visit.ts";

/** What a waiting shopper is told: the payment's standing, or that the try they waited for was declined. */
export type Outlook = { readonly say: PaymentStatus["status"] | "declined"; readonly payment: Payment };

export async function outlookOf({ engine, since }: Visit, { status, payment }: PaymentStatus): Promise<Outlook> {
  const declined = status === "waiting" && since !== null && (await wasDeclined(engine, payment, since));
  return { say: declined ? "declined" : status, payment };
}

// Only a try that failed after the shopper came back: an earlier one was followed by the try they are waiting for.
async function wasDeclined(engine: Engine, payment: Payment, since: number): Promise<boolean> {
  const story = await engine.ledger.timeline({ paymentId: payment.id });
  return story.some(({ kind, at }) => kind === "attempt_failed" && at >= since);
}
