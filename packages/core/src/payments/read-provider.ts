import { codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import type { TransactionReading } from "../ports/service.ts";

type TransactionQuery = { readonly id: string; readonly maxAgeMs: number; readonly deadlineMs?: number };

/**
 * How the shopper paid, as the service calls it (GET /transactions/{id}). Null where no transaction is named or the service does not
 * show it in time: it is only a name, so no order waits for it and no error ends a payment. It costs one call at most, and none where a
 * signed event told it: once a write to the store was tried, it is not read again.
 *
 * @param reported the transaction that a signed event of this payment named
 */
export async function readProvider(engine: Engine, payment: Payment, reported?: string): Promise<string | null> {
  const id = payment.transactionId ?? reported;
  // While the service does not respond, the payments themselves need its next answers.
  if (id === undefined || engine.circuitBreakers.hasFailed(`credential:${payment.credentialId}`)) return null;
  try {
    const query = { id, maxAgeMs: limits.providerMaxAgeMs, deadlineMs: limits.providerCallMs };
    const isTried = payment.storeTries > 0;
    const reading = await (isTried
      ? knownTransaction(engine, payment, query)
      : readTransaction(engine, payment, query));
    const { provider = "" } = reading ?? {};
    return /^[A-Za-z_]{2,20}$/.test(provider) ? provider.toUpperCase() : null;
  } catch (error) {
    engine.log.info("provider.unreadable", { paymentId: payment.id, code: codeOf(error) });
    return null;
  }
}

/** Keeps how the shopper paid as a signed event tells it, which saves a read. It is only a name: no event is believed about money. */
export async function rememberProvider(
  engine: Engine,
  { id: paymentId }: Payment,
  { id, provider }: Pick<TransactionReading, "id" | "provider">,
): Promise<void> {
  if (id === undefined || provider === undefined) return;
  await engine.transactionCache.read(`${paymentId} ${id}`, 0, async () => ({ provider }));
}

/** The transaction as this process read it before; undefined where it did not. */
async function knownTransaction(
  engine: Engine,
  { id: paymentId }: Payment,
  { id, maxAgeMs }: TransactionQuery,
): Promise<TransactionReading | null | undefined> {
  return await engine.transactionCache.known(`${paymentId} ${id}`, maxAgeMs);
}

/** Reads the transaction of a payment, unless it was read a moment ago. @throws CheckoutError `service_unavailable` */
export async function readTransaction(
  engine: Engine,
  { id: paymentId, credentialId, account }: Payment,
  { id, maxAgeMs, deadlineMs = limits.serviceCallMs }: TransactionQuery,
): Promise<TransactionReading | null> {
  return await engine.transactionCache.read(`${paymentId} ${id}`, maxAgeMs, async () => {
    const service = await engine.tenants.service(credentialId);
    return await service.readTransaction({ id, account, deadlineMs });
  });
}
