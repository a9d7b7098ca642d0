import { confirmPayment } from "../confirm/confirm-payment.ts";
import type { ConfirmResult } from "../confirm/confirm-result.ts";
import { codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import type { Engine } from "../engine.ts";
import { type PaymentStatus, paymentStatusOf } from "../payments/payment-status.ts";
import { getPayment } from "../payments/stored-payment.ts";
import { resolveWithin } from "../resilience/timers.ts";

/**
 * Returns a payment's status from the ledger, for a page that polls while a shopper waits. Starts a confirm in the background when
 * a confirm is due: after 1, 2, 4, 8, 15 and 30 s, then every 30 s for ten minutes, one at a time. Later the payment changes only by
 * webhooks and scheduled reads.
 *
 * @throws CheckoutError `payment_not_found`
 */
export async function watchPayment(engine: Engine, paymentId: string): Promise<PaymentStatus> {
  const current = paymentStatusOf(await getPayment(engine, paymentId));
  if (current.status === "waiting" || current.status === "recording" || current.status === "expired") {
    if (engine.watchSchedule.startIfDue(paymentId, engine.clock.now())) void confirmInBackground(engine, paymentId);
  }
  return current;
}

/**
 * Returns a payment's status when the shopper returns from the hosted page. The first return confirms the payment at once, within
 * `limits.shopperCallMs`. Later returns read the service only when the payment's watch schedule is due. All visitors share the
 * schedule, so reloading a page cannot use up the daily calls.
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
      const confirmed = await resolveWithin(clock, limits.shopperCallMs, reading);
      if (confirmed) return confirmed;
    } catch (error) {
      engine.log.warn("return.confirm_failed", { paymentId, code: codeOf(error) });
    }
  }
  return await watchPayment(engine, paymentId);
}

/** A confirm with a short deadline, so that a slow service does not block the shopper's page. */
export async function confirmForShopper(engine: Engine, paymentId: string): Promise<ConfirmResult> {
  return await confirmPayment(engine, paymentId, {
    actor: "shopper",
    deadlineMs: limits.shopperCallMs,
    maxAgeMs: limits.sharedReadingMaxAgeMs,
  });
}

async function confirmInBackground(engine: Engine, paymentId: string): Promise<void> {
  try {
    await confirmForShopper(engine, paymentId);
  } catch (error) {
    // The next poll and the scheduled reads try again.
    engine.log.info("watch.confirm_failed", { paymentId, code: codeOf(error) });
  } finally {
    engine.watchSchedule.finish(paymentId);
  }
}
