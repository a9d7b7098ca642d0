import type { Engine, Payment, Standing } from "@tillkit/core";
import type { Visit } from "./visit.ts";

/** What a waiting shopper is told: the payment's standing, or that the try they waited for was declined. */
export type Outlook = { readonly say: Standing["say"] | "declined"; readonly payment: Payment };

export async function outlookOf({ engine, since }: Visit, { say, payment }: Standing): Promise<Outlook> {
  const declined = say === "waiting" && since !== null && (await wasDeclined(engine, payment, since));
  return { say: declined ? "declined" : say, payment };
}

// Only a try that failed after the shopper came back: an earlier one was followed by the try they are waiting for.
async function wasDeclined(engine: Engine, payment: Payment, since: number): Promise<boolean> {
  const story = await engine.ledger.story({ paymentId: payment.id });
  return story.some(({ what, at }) => what === "attempt_failed" && at >= since);
}
