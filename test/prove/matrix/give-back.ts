import { type Money, type Refund, refundPayment } from "@tillkit/core";
import type { ServiceFault } from "./faults.ts";
import { meanwhile, passLong, passUntil, type Scene } from "./scene.ts";

/** How soon an owner clicks again who was not told that the money is back. */
const CLICK_AGAIN_MS = 15_000;
const MOST_CLICKS = 60;

export type Paid = { readonly paymentId: string; readonly transactionId: string; readonly total: Money };

/**
 * The owner decides twice: a part goes back, then the rest. Each decision moves its money once, however often the owner
 * clicks. Answers what went wrong, null when the service shows exactly these two refunds.
 */
export async function giveBack(scene: Scene, paid: Paid, fault: ServiceFault): Promise<string | null> {
  const { currency, minor } = paid.total;
  const part = Math.floor(minor / 5) * 2;
  const decisions = [part, minor - part].map((amount) => ({ minor: amount, currency }));
  const told: Refund[] = [];
  for (const amount of decisions) {
    const refund = await decide(scene, paid.paymentId, amount, fault);
    if (typeof refund === "string") return `${refund}; ${await seenAtService(scene)}`;
    told.push(refund);
  }
  const state = (await scene.find(paid.paymentId))?.state;
  if (state !== "refunded") return `everything went back and the payment is ${state}`;
  const wrong = await wrongRefunds(scene, paid, told);
  if (wrong !== null) return wrong;
  for (const refund of told) {
    const again = await meanwhile(scene, refundPayment(scene.till.engine, { ...refund, origin: "store" }));
    if (again.refundId !== refund.refundId) return "a late click on an old decision is another refund";
  }
  return await wrongRefunds(scene, paid, told);
}

/** Clicks until the money is back. A decision that failed is taken anew, under a key of its own. */
async function decide(scene: Scene, paymentId: string, amount: Money, fault: ServiceFault): Promise<Refund | string> {
  let failures = 0;
  let seen = "never answered";
  for (let click = 0; click < MOST_CLICKS; click += 1) {
    const key = `refund of ${amount.minor}, try ${failures}`;
    seen = await clickRefund(scene, { paymentId, key, amount });
    if (seen === "failed") failures += 1;
    if (seen === "pending" && fault.settings?.refunds === "pending") await completePending(scene.sandbox);
    if (click === 0) await passLong(scene, fault.refundsDownMs ?? 0);
    const completed = await completedMeanwhile(scene, paymentId, key);
    if (completed) return completed;
  }
  return `the refund of ${amount.minor} is never completed, last: ${seen}`;
}

/** The state that the owner is told, or the error. */
async function clickRefund(scene: Scene, wish: Pick<Refund, "paymentId" | "key" | "amount">): Promise<string> {
  const click = refundPayment(scene.till.engine, { ...wish, origin: "store" });
  const answer = click.then(({ state }) => state);
  return await meanwhile(scene, answer).catch((error: unknown) => String(error));
}

async function completedMeanwhile(scene: Scene, paymentId: string, key: string): Promise<Refund | undefined> {
  const isCompleted = (one: Refund) => one.key === key && one.state === "completed";
  let found: Refund | undefined;
  await passUntil(scene, CLICK_AGAIN_MS, async () => {
    found = (await scene.refunds(paymentId)).find(isCompleted);
    return found !== undefined;
  });
  return found;
}

/** As the service's own processor does. */
async function completePending(sandbox: Scene["sandbox"]): Promise<void> {
  const { data } = await refundsAtService(sandbox);
  for (const { refund_id: id, status } of data) if (status === "pending") await sandbox.control.completeRefund(id);
}

/** The service shows these refunds and no other, all of the transaction that paid. */
async function wrongRefunds({ sandbox }: Scene, paid: Paid, told: readonly Refund[]): Promise<string | null> {
  await beHonest(sandbox);
  const { data } = await refundsAtService(sandbox);
  const strange = data.find((row) => row.transaction_id !== paid.transactionId);
  if (strange) return "money went back to another transaction";
  const lines = (rows: readonly [string | null, number][]) => rows.map((row) => row.join(" ")).sort();
  const service = lines(data.map((row) => [row.refund_id, row.refunded_amount]));
  const store = lines(told.map((refund) => [refund.refundId, refund.amount.minor]));
  return String(service) === String(store) ? null : `the service refunded ${service}; the store was told ${store}`;
}

async function seenAtService({ sandbox }: Scene): Promise<string> {
  await beHonest(sandbox);
  const { data } = await refundsAtService(sandbox);
  return `at the service: ${data.map(({ amount, status }) => `${amount} ${status}`).join(", ") || "no refund"}`;
}

/** From now on every answer of the service is as published. */
export async function beHonest({ control }: Scene["sandbox"]): Promise<void> {
  await control.clearFaults();
  const lists = { order: "newest", lateRowsMs: 0, shiftBy: 0 } as const;
  await control.changeSettings({ wrap: "none", narrowReads: false, staleReadsMs: 0, namesDeclined: false, lists });
}

type RefundRow = { refund_id: string; transaction_id: string; amount: number; refunded_amount: number; status: string };

async function refundsAtService({ baseUrl, keys }: Scene["sandbox"]): Promise<{ data: readonly RefundRow[] }> {
  const headers = { "X-API-Key": keys.test.secret };
  // Without a key of this list's own, a fault may hit it: it is read until it is whole.
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
