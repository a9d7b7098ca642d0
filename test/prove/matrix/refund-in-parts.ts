import { type Money, type Refund, refundPayment } from "@tillkit/core";
import type { ServiceFault } from "./faults.ts";
import { advanceHours, advanceUntil, advanceWhile, type MatrixFixture } from "./fixture.ts";

/** How soon an owner clicks again without an answer that the refund is complete. */
const CLICK_INTERVAL_MS = 15_000;
const MAX_CLICKS = 60;

export type PaidPayment = { readonly paymentId: string; readonly transactionId: string; readonly total: Money };

/**
 * The owner refunds a part and then the rest. Each decision must make one refund, however often the owner
 * clicks. Returns what went wrong, or null if the service shows exactly these two refunds.
 */
export async function refundInParts(
  fixture: MatrixFixture,
  paid: PaidPayment,
  fault: ServiceFault,
): Promise<string | null> {
  const { currency, minor } = paid.total;
  const twoFifths = Math.floor(minor / 5) * 2;
  const decisions = [twoFifths, minor - twoFifths].map((amount) => ({ minor: amount, currency }));
  const refunds: Refund[] = [];
  for (const amount of decisions) {
    const refund = await refundUntilCompleted(fixture, paid.paymentId, amount, fault);
    if (typeof refund === "string") return `${refund}; ${await describeRefunds(fixture)}`;
    refunds.push(refund);
  }
  const state = (await fixture.find(paid.paymentId))?.state;
  if (state !== "refunded") return `everything was refunded, but the payment is ${state}`;
  const problem = await findRefundProblem(fixture, paid, refunds);
  if (problem !== null) return problem;
  for (const refund of refunds) {
    const again = await advanceWhile(fixture, refundPayment(fixture.server.engine, { ...refund, origin: "store" }));
    if (again.refundId !== refund.refundId) return "a late click on an old decision makes another refund";
  }
  return await findRefundProblem(fixture, paid, refunds);
}

/** Clicks until the refund is complete. After a failed refund, the owner decides again under a new key. */
async function refundUntilCompleted(
  fixture: MatrixFixture,
  paymentId: string,
  amount: Money,
  fault: ServiceFault,
): Promise<Refund | string> {
  let failures = 0;
  let lastState = "never answered";
  for (let click = 0; click < MAX_CLICKS; click += 1) {
    const key = `refund of ${amount.minor}, try ${failures}`;
    lastState = await clickRefund(fixture, { paymentId, key, amount });
    if (lastState === "failed") failures += 1;
    if (lastState === "pending" && fault.settings?.refunds === "pending") await completePending(fixture.sandbox);
    if (click === 0) await advanceHours(fixture, fault.refundsDownMs ?? 0);
    const completed = await waitForCompletion(fixture, paymentId, key);
    if (completed) return completed;
  }
  return `the refund of ${amount.minor} is never completed, last: ${lastState}`;
}

/** Returns the state that the owner sees, or the error. */
async function clickRefund(
  fixture: MatrixFixture,
  request: Pick<Refund, "paymentId" | "key" | "amount">,
): Promise<string> {
  const click = refundPayment(fixture.server.engine, { ...request, origin: "store" });
  const answer = click.then(({ state }) => state);
  return await advanceWhile(fixture, answer).catch((error: unknown) => String(error));
}

async function waitForCompletion(fixture: MatrixFixture, paymentId: string, key: string): Promise<Refund | undefined> {
  const isCompleted = (refund: Refund) => refund.key === key && refund.state === "completed";
  let found: Refund | undefined;
  await advanceUntil(fixture, CLICK_INTERVAL_MS, async () => {
    found = (await fixture.refunds(paymentId)).find(isCompleted);
    return found !== undefined;
  });
  return found;
}

/** Completes pending refunds, as the service's processor does. */
async function completePending(sandbox: MatrixFixture["sandbox"]): Promise<void> {
  const { data } = await refundsAtService(sandbox);
  for (const { refund_id: id, status } of data) if (status === "pending") await sandbox.control.completeRefund(id);
}

/** Checks that the service shows exactly these refunds, all of the transaction that paid. */
async function findRefundProblem(
  { sandbox }: MatrixFixture,
  paid: PaidPayment,
  refunds: readonly Refund[],
): Promise<string | null> {
  await disableFaults(sandbox);
  const { data } = await refundsAtService(sandbox);
  const otherTransaction = data.find((row) => row.transaction_id !== paid.transactionId);
  if (otherTransaction) return "another transaction was refunded";
  const lines = (rows: readonly [string | null, number][]) => rows.map((row) => row.join(" ")).sort();
  const atService = lines(data.map((row) => [row.refund_id, row.refunded_amount]));
  const inLedger = lines(refunds.map((refund) => [refund.refundId, refund.amount.minor]));
  if (String(atService) === String(inLedger)) return null;
  return `the service refunded ${atService}; the ledger has ${inLedger}`;
}

async function describeRefunds({ sandbox }: MatrixFixture): Promise<string> {
  await disableFaults(sandbox);
  const { data } = await refundsAtService(sandbox);
  return `at the service: ${data.map(({ amount, status }) => `${amount} ${status}`).join(", ") || "no refund"}`;
}

/** Ends all faults, so that every answer of the service is as published. */
export async function disableFaults({ control }: MatrixFixture["sandbox"]): Promise<void> {
  await control.clearFaults();
  const lists = { order: "newest", lateRowsMs: 0, shiftBy: 0 } as const;
  await control.changeSettings({
    wrap: "none",
    narrowReads: false,
    staleReadsMs: 0,
    reportsDeclinedAttempt: false,
    lists,
  });
}

type RefundRow = { refund_id: string; transaction_id: string; amount: number; refunded_amount: number; status: string };

async function refundsAtService({ baseUrl, keys }: MatrixFixture["sandbox"]): Promise<{ data: readonly RefundRow[] }> {
  const headers = { "X-API-Key": keys.test.secret };
  // A remaining fault may hit this request, so it is repeated until the list is complete.
  for (let tries = 0; tries < 10; tries += 1) {
    const response = await fetch(`${baseUrl}/refunds?limit=100`, { headers }).catch(() => null);
    const body: unknown = await response?.json().catch(() => null);
    if (isList(body)) return body;
  }
  return { data: [] };
}

function isList(body: unknown): body is { data: readonly RefundRow[] } {
  return typeof body === "object" && body !== null && "data" in body && Array.isArray(body.data);
}
