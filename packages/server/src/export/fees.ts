import { codeOf, limits, type Payment } from "@tillkit/core";
import type { Service, Tenants, TransactionReading } from "@tillkit/core/hosts";
import { namesTransaction } from "@tillkit/core/ledger";

/** Minor units of the payment's currency; undefined when the service does not report the amount. */
export type PaidAmounts = {
  readonly transactionId: string | undefined;
  readonly gross: number | undefined;
  readonly fee: number | undefined;
  readonly net: number | undefined;
  /** The sum of completed refunds. */
  readonly refunded: number | undefined;
};

/** Reads the service's fees and net amounts by payment id. */
export type Fees = (payments: readonly Payment[]) => Promise<ReadonlyMap<string, PaidAmounts>>;

/** Most shoppers pay while their session is open. The few later payments are searched for until the grace period ends. */
const USUAL_MS = 2 * 60 * 60_000;
const LATEST_MS = USUAL_MS + limits.graceMs;

/** Transactions of one page of payments that are read one by one. */
const MAX_SINGLE_READS = 20;

/** Statuses of transactions that paid nothing. */
const UNPAID: ReadonlySet<string> = new Set(["pending", "failed", "expired", "cancelled"]);

/** For exports without keys of the service: fee and net stay empty. */
export const noFees: Fees = async () => new Map();

/** Lists the service's transactions (GET /transactions) since the oldest of the payments: a few calls for each page of payments. */
export function createFees(tenants: Pick<Tenants, "service">): Fees {
  return async function feesOf(payments) {
    const found = new Map<string, PaidAmounts>();
    for (const group of groupsOf(payments)) await findAmounts(tenants, group, found);
    return found;
  };
}

async function findAmounts(
  tenants: Pick<Tenants, "service">,
  payments: readonly [Payment, ...Payment[]],
  found: Map<string, PaidAmounts>,
): Promise<void> {
  const [{ credentialId }] = payments;
  const service = await tenants.service(credentialId).catch((error: unknown) => {
    // The key was removed from the configuration, so its transactions cannot be read.
    if (codeOf(error) === "credential_not_known") return null;
    throw error;
  });
  if (service === null) return;
  const times = payments.map(({ createdAt }) => createdAt);
  const [oldest, newest] = [Math.min(...times), Math.max(...times)];
  const early = { from: oldest, until: newest + USUAL_MS };
  const late = { from: newest + USUAL_MS, until: newest + LATEST_MS };
  await findInList(service, early, payments, found);
  const missing = payments.filter(({ id }) => !found.has(id));
  const stillMissing = await readFew(service, missing, found);
  await findInList(service, late, stillMissing, found);
}

async function findInList(
  service: Service,
  { from, until }: { readonly from: number; readonly until: number },
  payments: readonly Payment[],
  found: Map<string, PaidAmounts>,
): Promise<void> {
  const [first] = payments;
  if (first === undefined) return;
  // `groupsOf` puts payments of one account into a group.
  const { account } = first;
  const missing = new Set(payments);
  for await (const row of service.listTransactions({ from, until, account, deadlineMs: limits.serviceCallMs })) {
    const paid = [...missing].find((payment) => isPaidBy(payment, row));
    if (!paid) continue;
    found.set(paid.id, amountsOf(paid, row));
    missing.delete(paid);
    if (missing.size === 0) return;
  }
}

// A list of three days of a busy shop is long, so a few transactions whose ids are known are read one by one instead. Returns the
// payments that must still be searched for in the list.
async function readFew(
  service: Service,
  payments: readonly Payment[],
  found: Map<string, PaidAmounts>,
): Promise<readonly Payment[]> {
  const known = payments.filter(({ transactionId }) => transactionId !== null);
  if (known.length > MAX_SINGLE_READS) return payments;
  for (const payment of known) {
    const { transactionId, account } = payment;
    const row = await service.readTransaction({ id: transactionId ?? "", account, deadlineMs: limits.serviceCallMs });
    if (row !== null) found.set(payment.id, amountsOf(payment, row));
  }
  return payments.filter(({ transactionId }) => transactionId === null);
}

function isPaidBy({ transactionId, session, reference }: Payment, row: TransactionReading): boolean {
  // A session may name its transaction by the code.
  if (transactionId !== null) return namesTransaction(transactionId, { id: row.id ?? "", code: row.code ?? null });
  if (row.status === undefined || UNPAID.has(row.status)) return false;
  return row.reference === reference || (row.sessionId !== undefined && row.sessionId === session?.id);
}

function amountsOf(payment: Payment, row: TransactionReading): PaidAmounts {
  const minor = (wire: number | undefined) => toMinor(payment, wire);
  return {
    transactionId: row.id,
    gross: minor(row.wireAmount),
    fee: minor(row.feeAmount),
    net: minor(row.netAmount),
    refunded: minor(row.refundedAmount),
  };
}

// The payment's own amounts give the factor between the service's unit and minor units. An inexact result is left out.
function toMinor({ amountDue, wireAmount }: Payment, wire: number | undefined): number | undefined {
  if (wire === undefined) return undefined;
  // The factor first: the product of two large amounts is no safe integer.
  const exact = wire * (amountDue.minor / wireAmount);
  return Math.abs(exact - Math.round(exact)) < 1e-6 ? Math.round(exact) : undefined;
}

function groupsOf(payments: readonly Payment[]): readonly (readonly [Payment, ...Payment[]])[] {
  const groups = new Map<string, [Payment, ...Payment[]]>();
  for (const payment of payments) {
    const key = JSON.stringify([payment.credentialId, payment.account]);
    const group = groups.get(key);
    if (group) group.push(payment);
    else groups.set(key, [payment]);
  }
  return [...groups.values()];
}
