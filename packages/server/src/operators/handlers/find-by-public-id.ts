import { type Engine, type Ledger, limits, type Payment } from "@tillkit/core";
import { serverLimits } from "../../limits.ts";

/**
 * The payment of an ID as the service's pages and customers write it: `cs_…`, alone or in the address of the hosted page, or `txn_…`.
 * The ledger stores the service's UUIDs, so `cs_…` is looked up in the addresses of the newest payments, and `txn_…` is read at the
 * service with the API keys of the newest payments. Null when neither leads to a payment of this ledger.
 */
export async function findByPublicId(engine: Engine, ledger: Ledger, text: string): Promise<Payment | null> {
  const [, code] = /(?:^|\/)(cs_\w+)$/.exec(text) ?? [];
  if (code === undefined && !/^txn_\w+$/.test(text)) return null;
  const newest = await newestPayments(ledger);
  if (code !== undefined) return newest.find(({ session }) => session?.url.endsWith(`/${code}`)) ?? null;
  return await findByTransaction(engine, ledger, newest, text);
}

async function newestPayments(ledger: Ledger): Promise<Payment[]> {
  const payments: Payment[] = [];
  let after: string | null | undefined;
  while (after !== null && payments.length < serverLimits.maxSearchedPayments) {
    const page = await ledger.listPayments({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    payments.push(...page.rows);
    after = page.next;
  }
  return payments;
}

const PAGE = 200;

async function findByTransaction(
  engine: Engine,
  ledger: Ledger,
  newest: readonly Payment[],
  id: string,
): Promise<Payment | null> {
  const byCredential = new Map(newest.map((payment) => [payment.credentialId, payment]));
  for (const { credentialId, account } of [...byCredential.values()].slice(0, serverLimits.maxSearchedCredentials)) {
    const service = await engine.tenants.service(credentialId).catch(() => null);
    // A key that cannot be used now, or that does not see the transaction, must not end the search with the others.
    const transaction = await service
      ?.readTransaction({ id, account, deadlineMs: limits.serviceCallMs })
      .catch(() => null);
    if (!transaction) continue;
    const { id: transactionId, sessionId } = transaction;
    const payment =
      (transactionId === undefined ? null : await ledger.find({ transactionId })) ??
      (sessionId === undefined ? null : await ledger.find({ sessionId }));
    if (payment) return payment;
  }
  return null;
}
