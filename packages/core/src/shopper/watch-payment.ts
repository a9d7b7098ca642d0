import { confirmPayment } from "../confirm/confirm-payment.ts";
import type { ConfirmResult } from "../confirm/confirm-result.ts";
import { codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import type { Engine } from "../engine.ts";
import { getPayment } from "../payments/get-payment.ts";
import { type PaymentStatus, paymentStatusOf } from "../payments/payment-status.ts";
import { resolveWithin } from "../resilience/resolve-within.ts";

/**
 * For a page on which a shopper waits: answers from the ledger at once, and starts a confirm in the background when one is
 * due (after 1, 2, 4, 8, 15, 30 s, then every 30 s for ten minutes, one at a time). Afterwards webhook and timer go on alone.
 *
 * @throws CheckoutError `payment_not_found`
 */
export async function watchPayment(engine: Engine, paymentId: string): Promise<PaymentStatus> {
  const standing = paymentStatusOf(await getPayment(engine, paymentId));
  if (standing.status === "waiting" || standing.status === "recording" || standing.status === "lapsed") {
    if (engine.watchSchedule.startIfDue(paymentId, engine.clock.now())) void readInBackground(engine, paymentId);
  }
  return standing;
}

/**
 * For a shopper who comes back: a first return reads the service at once, for as long as somebody can be asked to wait. Every
 * further visit reads only when the payment's watch schedule is due: all visitors share it, so reloading a page cannot spend
 * the day's reads.
 *
 * @throws CheckoutError `payment_not_found`
 */
export async function confirmOnReturn(engine: Engine, paymentId: string): Promise<PaymentStatus> {
  const { clock, watchSchedule } = engine;
  const isFirst = watchSchedule.isFirstReturn(paymentId, clock.now());
  const isDue = watchSchedule.startIfDue(paymentId, clock.now());
  if (isFirst || isDue) {
    const reading = confirmForShopper(engine, paymentId).finally(() => isDue && watchSchedule.finish(paymentId));
    try {
      const standing = await resolveWithin(clock, limits.shopperCallMs, reading);
      if (standing) return standing;
    } catch (error) {
      engine.log.warn("return.not_confirmed", { paymentId, code: codeOf(error) });
    }
  }
  return await watchPayment(engine, paymentId);
}

/** One confirm, bounded so that no page hangs on a slow service or shop. */
export async function confirmForShopper(engine: Engine, paymentId: string): Promise<ConfirmResult> {
  return await confirmPayment(engine, paymentId, {
    actor: "shopper",
    deadlineMs: limits.shopperCallMs,
    maxAgeMs: limits.sharedReadingMs,
  });
}

async function readInBackground(engine: Engine, paymentId: string): Promise<void> {
  try {
    await confirmForShopper(engine, paymentId);
  } catch (error) {
    // The next look tries again, and the timer does so in any case.
    engine.log.info("watch.failed", { paymentId, code: codeOf(error) });
  } finally {
    engine.watchSchedule.finish(paymentId);
  }
}
