import { parseEvent, type ServiceEvent } from "@tillkit/client/webhooks";
import { confirmPayment } from "../confirm/confirm-payment.ts";
import { applyDisputeEvent } from "../disputes/apply-dispute-event.ts";
import { type Delivery, digestOf } from "../domain/delivery.ts";
import { limits } from "../domain/limits.ts";
import type { Environment } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";
import { keepReportedTransaction, toTransaction } from "../movements/identify-transaction.ts";
import { recordTransactions } from "../movements/record-transactions.ts";
import type { LoggedEvent, Service, TransactionReading } from "../ports/service.ts";
import { syncRefunds } from "../refunds/sync-refunds.ts";
import { adoptSession } from "../sessions/adopt-session.ts";
import { readOurMetadata } from "../signing/our-metadata.ts";
import { readReference } from "../signing/reference.ts";
import { recoverPayment } from "./recover-payment.ts";

export type RecoveryOptions = {
  readonly credentialId: string;
  readonly environment: Environment;
  /** The Member Account, needed only with an Operator's key. */
  readonly account?: string | null;
  /** Transactions since this time are scanned, in milliseconds since 1970. Choose a time shortly before the backup. */
  readonly from: number;
  /**
   * Our id and the address of the webhook endpoint, whose delivery logs are the only place where a dispute can be read (GET
   * /webhooks/{id}/logs). Without it no dispute is looked for.
   */
  readonly endpoint?: { readonly id: string; readonly url: string };
};

export type RecoveryResult = {
  /** The number of scanned transactions, including the transactions of other integrations. */
  readonly scanned: number;
  /** The ids of the payments that were missing and are in the ledger again. */
  readonly recovered: readonly string[];
  /** The ids of the payments whose refunds were missing and are in the ledger again. */
  readonly refundsSynced: readonly string[];
  /** How many dispute events the delivery logs show for payments of this ledger. */
  readonly disputeEvents: number;
  /** The time of the oldest delivery that was read: older disputes are not known. Milliseconds since 1970; null: none was read. */
  readonly disputesKnownSince: number | null;
};

/**
 * Recovers payments after a ledger was restored from a backup. Scans the service's transactions, adds our missing payments,
 * confirms them, and adds missing refunds and disputes, for a few calls per transaction. Safe to repeat. Run it before any further
 * refund is made.
 *
 * @throws CheckoutError `credential_not_known`, `service_unavailable`; payments that were recovered before the error stay
 */
export async function recoverPayments(engine: Engine, options: RecoveryOptions): Promise<RecoveryResult> {
  const service = await engine.tenants.service(options.credentialId);
  const { account = null, from } = options;
  const recovered: string[] = [];
  const refundsSynced: string[] = [];
  let scanned = 0;
  const { disputes, knownSince } = await readLoggedDisputes(service, options);
  for await (const transaction of service.listTransactions({ from, account, deadlineMs: limits.serviceCallMs })) {
    scanned += 1;
    const known = await findPaid(engine, transaction);
    const id = known?.id ?? readReference(transaction.reference ?? "", engine.referenceKeys);
    if (id === null) continue;
    const payment = known
      ? await withSession(engine, known, transaction)
      : await recoverAndConfirm(engine, transaction, options, knownSince);
    if (payment && !known) recovered.push(id);
    if (payment && (await findsRefunds(engine, { payment, transaction, wasKnown: known !== null })))
      refundsSynced.push(id);
  }
  const disputeEvents = await applyDisputes(engine, disputes, options.credentialId);
  return { scanned, recovered, refundsSynced, disputeEvents, disputesKnownSince: knownSince };
}

// A service may show the session of a transaction and not its reference.
async function findPaid(engine: Engine, { reference = "", sessionId }: TransactionReading): Promise<Payment | null> {
  const id = readReference(reference, engine.referenceKeys);
  const byReference = id === null ? null : await engine.ledger.find({ id });
  return byReference ?? (sessionId === undefined ? null : await engine.ledger.find({ sessionId }));
}

type LoggedDispute = { readonly event: ServiceEvent; readonly delivery: Delivery };
type LoggedDisputes = { readonly disputes: readonly LoggedDispute[]; readonly knownSince: number | null };

async function readLoggedDisputes(service: Service, { endpoint, from }: RecoveryOptions): Promise<LoggedDisputes> {
  const disputes: LoggedDispute[] = [];
  let knownSince: number | null = null;
  if (endpoint === undefined) return { disputes, knownSince };
  const query = { url: endpoint.url, since: from, deadlineMs: limits.serviceCallMs };
  for await (const { payload, at } of service.listDeliveredEvents(query)) {
    const event = parseEvent(payload);
    if (event?.event.startsWith("DISPUTE_")) disputes.push({ event, delivery: deliveryOf(endpoint.id, payload, at) });
    knownSince = Math.min(knownSince ?? at, at);
  }
  return { disputes, knownSince };
}

function deliveryOf(endpointId: string, payload: LoggedEvent["payload"], receivedAt: number): Delivery {
  const bytes = new TextEncoder().encode(JSON.stringify(payload));
  return { endpointId, digest: digestOf(bytes), bytes, receivedAt };
}

// The logs list the newest event first; the older reports of a dispute are ignored then.
async function applyDisputes(engine: Engine, logged: readonly LoggedDispute[], credentialId: string): Promise<number> {
  let applied = 0;
  for (const { event, delivery } of logged) {
    const payment = await findDisputed(engine, event);
    // Nothing ties its transaction to a payment yet. Processed like a webhook, the report waits until something does.
    if (payment === null) await engine.ledger.receive([delivery]);
    if (payment?.credentialId !== credentialId) continue;
    // The scan may have begun after the disputed transaction. It must not count against another one of its session.
    if (event.transactionId !== undefined) await keepReportedTransaction(engine, payment, event.transactionId);
    await applyDisputeEvent(engine, payment.id, event);
    applied += 1;
  }
  return applied;
}

async function findDisputed(
  engine: Engine,
  { sessionId, transactionId, metadata }: ServiceEvent,
): Promise<Payment | null> {
  const id = readReference(readOurMetadata(metadata).reference ?? "", engine.referenceKeys);
  const bySession = sessionId === undefined ? null : await engine.ledger.find({ sessionId });
  const byReference = id === null ? null : await engine.ledger.find({ id });
  return bySession ?? byReference ?? (transactionId === undefined ? null : await engine.ledger.find({ transactionId }));
}

async function withSession(engine: Engine, known: Payment, { sessionId }: TransactionReading): Promise<Payment> {
  if (known.session !== null || sessionId === undefined) return known;
  const adopted = await adoptSession(engine, known, sessionId, "operator");
  await confirmPayment(engine, adopted.id, { actor: "operator" });
  return adopted;
}

async function recoverAndConfirm(
  engine: Engine,
  transaction: TransactionReading,
  options: RecoveryOptions,
  disputesKnownSince: number | null,
): Promise<Payment | null> {
  const { sessionId, reference, signedOrder } = transaction;
  const { credentialId, environment } = options;
  const lost = { sessionId, reference, signedOrder };
  const source = { credentialIds: [credentialId], environment };
  const payment = await recoverPayment(engine, lost, source, disputesKnownSince ?? engine.clock.now());
  if (payment) await confirmPayment(engine, payment.id, { actor: "operator" });
  return payment;
}

type Scanned = { readonly payment: Payment; readonly transaction: TransactionReading; readonly wasKnown: boolean };

// Whether refunds of the payment were missing. The transaction's refunded amount lacks pending refunds, so the refunds are always read.
async function findsRefunds(engine: Engine, { payment, transaction, wasKnown }: Scanned): Promise<boolean> {
  const paid = toTransaction(payment, transaction, transaction.id ?? "", false);
  if (paid?.evidence !== "identity" || paid.amount.minor === 0) return false;
  await recordTransactions(engine, payment.id, [paid]);
  const before = wasKnown ? statesOf(await engine.ledger.refunds(payment.id)) : "";
  return statesOf(await syncRefunds(engine, payment.id)) !== before;
}

function statesOf(refunds: readonly Refund[]): string {
  return refunds.map(({ key, state }) => `${key} ${state}`).join();
}
