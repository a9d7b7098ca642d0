import type { Engine } from "../engine.ts";
import { getPayment } from "../payments/get-payment.ts";

/**
 * The shopper pressed cancel: a line of the story and nothing else. The service has no cancelled state; the same page can
 * be paid until it expires, so neither the order nor its stock may be touched.
 *
 * @throws CheckoutError `payment_not_found`
 */
export async function recordCancel(engine: Engine, paymentId: string): Promise<void> {
  await getPayment(engine, paymentId);
  const timeline = await engine.ledger.timeline({ paymentId });
  // A reload of the cancel link is not a second decision.
  if (timeline.at(-1)?.kind === "cancelled") return;
  const entry = { paymentId, at: engine.clock.now(), actor: "shopper", kind: "cancelled", detail: "" } as const;
  await engine.ledger.commit({ timeline: [entry] });
}
