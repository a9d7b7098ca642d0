import type { Engine } from "./engine.ts";
import { mustFind } from "./store-calls.ts";

/**
 * The shopper pressed cancel: a line of the story and nothing else. The service has no cancelled state; the same page can
 * be paid until it expires, so neither the order nor its stock may be touched.
 *
 * @throws CheckoutError `payment_not_found`
 */
export async function tellCancel(engine: Engine, paymentId: string): Promise<void> {
  await mustFind(engine, paymentId);
  const story = await engine.ledger.story({ paymentId });
  // A reload of the cancel link is not a second decision.
  if (story.at(-1)?.what === "cancelled") return;
  const line = { paymentId, at: engine.clock.now(), who: "shopper", what: "cancelled", detail: "" } as const;
  await engine.ledger.commit({ story: [line] });
}
