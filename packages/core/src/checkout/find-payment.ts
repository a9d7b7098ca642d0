import type { ServiceEvent } from "@tillkit/client/webhooks";
import { limits } from "../domain/limits.ts";
import { readOurMetadata } from "../domain/our-metadata.ts";
import type { Payment } from "../domain/payment.ts";
import { readReference } from "../domain/reference.ts";
import type { PaymentKey } from "../ports/payment-ledger.ts";
import type { WebhookEndpoint } from "../ports/tenants.ts";
import type { LostPayment } from "./adopt-payment.ts";
import type { Engine } from "./engine.ts";

/**
 * Whose event this is. `ours`: these payments are to be looked at, usually one. `orphan`: it carries a reference of ours,
 * and there is no such payment. `foreign`: another channel on the same key, never touched.
 */
export type Found =
  | { readonly say: "ours"; readonly payments: readonly Payment[] }
  | { readonly say: "orphan"; readonly paymentId: string; readonly lost: LostPayment }
  | { readonly say: "foreign" };

/** By session id, then by our reference, then by transaction id, then by looking; never by an order number. */
export async function findPayment(engine: Engine, endpoint: WebhookEndpoint, event: ServiceEvent): Promise<Found> {
  if (event.environment !== undefined && event.environment !== endpoint.environment) return { say: "foreign" };
  const ours = readOurMetadata(event.metadata);
  const { reference } = ours;
  const paymentId = reference === undefined ? null : readReference(reference, engine.referenceKeys);

  const payment = await findNamed(engine, event, paymentId);
  if (payment) {
    const isOurs = endpoint.credentialIds.includes(payment.credentialId);
    return isOurs ? { say: "ours", payments: [payment] } : { say: "foreign" };
  }
  if (paymentId !== null) return { say: "orphan", paymentId, lost: { sessionId: event.sessionId, ...ours } };
  const namesAnother = event.sessionId !== undefined || reference !== undefined;
  return namesAnother || event.event !== "PAYMENT_SUCCEEDED" ? { say: "foreign" } : await lookAround(engine, endpoint);
}

async function findNamed(engine: Engine, event: ServiceEvent, paymentId: string | null): Promise<Payment | null> {
  const keys: (PaymentKey | null)[] = [
    event.sessionId === undefined ? null : { sessionId: event.sessionId },
    paymentId === null ? null : { id: paymentId },
    event.transactionId === undefined ? null : { transactionId: event.transactionId },
  ];
  for (const key of keys) {
    const payment = key && (await engine.ledger.find(key));
    if (payment) return payment;
  }
  return null;
}

// A thin event says only that some session of this credential was paid: its newest open payments are looked at.
async function lookAround(engine: Engine, endpoint: WebhookEndpoint): Promise<Found> {
  const lists = await Promise.all(
    endpoint.credentialIds.map((id) => engine.ledger.openPayments(id, limits.thinEventReads)),
  );
  const payments = lists.flat();
  return payments.length > 0 ? { say: "ours", payments } : { say: "foreign" };
}
