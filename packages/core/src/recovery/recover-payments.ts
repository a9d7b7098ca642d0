import { confirmPayment } from "../confirm/confirm-payment.ts";
import { limits } from "../domain/limits.ts";
import { fromWire } from "../domain/money.ts";
import type { Environment } from "../domain/order.ts";
import { amountUnitOf, type Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import type { TransactionReading } from "../ports/service.ts";
import { sumOf, syncRefunds } from "../refunds/sync-refunds.ts";
import { readReference } from "../signing/reference.ts";
import { recoverPayment } from "./recover-payment.ts";

export type RecoveryOptions = {
  readonly credentialId: string;
  readonly environment: Environment;
  /** Member Account of an Operator's key. */
  readonly account?: string | null;
  /** Transactions since then, in milliseconds since 1970: a little before the backup was made. */
  readonly from: number;
};

export type RecoveryResult = {
  /** Transactions that were looked at, whoever's. */
  readonly scanned: number;
  /** Payments that were taken back, and such whose refunds had been forgotten. */
  readonly recovered: readonly string[];
  readonly refundsSynced: readonly string[];
};

/**
 * After a ledger was restored from a backup: walks through the service's transactions since then, takes back what is ours and
 * missing, confirms it, and learns refunds that the backup does not know. Safe to repeat, and best done before refunds are
 * made again.
 *
 * @throws CheckoutError `credential_not_known`, `service_unavailable`: what was found so far stays
 */
export async function recoverPayments(engine: Engine, search: RecoveryOptions): Promise<RecoveryResult> {
  const service = await engine.tenants.service(search.credentialId);
  const { account = null, from } = search;
  const [adopted, refunded]: [string[], string[]] = [[], []];
  let looked = 0;
  for await (const line of service.listTransactions({ from, account, deadlineMs: limits.serviceCallMs })) {
    looked += 1;
    const id = readReference(line.reference ?? "", engine.referenceKeys);
    if (id === null) continue;
    const known = await engine.ledger.find({ id });
    const payment = known ?? (await recoverAndConfirm(engine, line, search));
    if (payment && !known) adopted.push(id);
    if (payment && (await isMissingRefunds(engine, payment, line))) {
      await syncRefunds(engine, id);
      refunded.push(id);
    }
  }
  return { scanned: looked, recovered: adopted, refundsSynced: refunded };
}

async function recoverAndConfirm(
  engine: Engine,
  line: TransactionReading,
  search: RecoveryOptions,
): Promise<Payment | null> {
  const { sessionId, reference, signedOrder } = line;
  const { credentialId, environment } = search;
  const lost = { sessionId, reference, signedOrder };
  const payment = await recoverPayment(engine, lost, { credentialIds: [credentialId], environment });
  if (payment) await confirmPayment(engine, payment.id, { actor: "operator" });
  return payment;
}

async function isMissingRefunds(engine: Engine, payment: Payment, { refundedAmount = 0 }: TransactionReading) {
  const known = sumOf(await engine.ledger.refunds(payment.id), ["completed"]);
  const refunded = fromWire(refundedAmount, payment.amountDue.currency, amountUnitOf(payment));
  return refunded !== null && refunded.minor > known;
}
