import type { Ledger, Payment } from "@tillkit/core";
import { type Evidence, emptyEvidence, findViolations } from "@tillkit/testkit/simulator";
import { createKeptShop } from "./kept-shop.ts";
import { bodyOf, type KeptWorld, transactionOf } from "./kept-world.ts";

type Times = { readonly calmSince: number; readonly now: number };

/** Everything that is not as it must be after the work was finished: the promises, and work that was left behind. */
export async function lookBack(world: KeptWorld, ledger: Ledger, times: Times): Promise<readonly string[]> {
  const { rows: payments, next } = await ledger.listPayments({ limit: 500 });
  const broken = findViolations(await gather(world, ledger, payments, times));
  const jobs = await ledger.countJobs(times.now);
  const deliveries = await ledger.countDeliveries();
  const refunds = (await Promise.all(payments.map(({ id }) => ledger.refunds(id)))).flat();
  const doubtful = refunds.filter(({ state }) => state !== "completed" && state !== "failed");
  const shop = await ledger.records.get("hats", "shop", "main");
  return [
    ...broken.map(({ invariant, reason }) => `${invariant}: ${reason}`),
    ...(next === null ? [] : ["there are more payments than the old ledger can have led to"]),
    ...(jobs.due + jobs.dead === 0 ? [] : [`${jobs.due} due and ${jobs.dead} dead jobs are left`]),
    ...(deliveries.waiting === 0 ? [] : [`${deliveries.waiting} deliveries were never processed`]),
    ...doubtful.map(({ key, state }) => `the refund "${key}" is still ${state}`),
    ...(refunds.length < 6 ? [`only ${refunds.length} refunds of 6 are left`] : []),
    ...(shop?.version === 1 ? [] : ["the shop's own record is gone"]),
  ];
}

async function gather(world: KeptWorld, ledger: Ledger, payments: readonly Payment[], times: Times): Promise<Evidence> {
  const total = { minor: 5_000, currency: "XOF" };
  const parked = (await ledger.listJobs({ dead: true, limit: 99 })).rows;
  return {
    ...emptyEvidence,
    faultsEndedAt: times.calmSince,
    gatheredAt: times.now,
    payments,
    deadJobs: parked.map(({ kind, paymentId, error }) => ({ kind, paymentId, reason: error ?? "" })),
    orders: world.orders.map(({ storeId, orderId, effects, holds, notes }) => ({
      ref: { storeId, orderId },
      writes: createKeptShop(world, storeId, { now: () => times.now, sleep: async () => {} }).writes,
      effects: effects.map((effect) => ({ ...effect, total })),
      totals: [{ total, from: 0 }],
      closedAt: null,
      closedAttempts: [],
      holds,
      notes,
    })),
    sessions: world.sessions.map(({ id, key, request, paidAmount, completedAt, expiresAt }) => {
      const body = bodyOf(request);
      return {
        id,
        paymentId: key,
        wireAmount: paidAmount ?? body.amount,
        currency: body.currency_code,
        reference: body.metadata.tillkit_reference ?? "",
        account: null,
        environment: "test",
        completedAt,
        expiresAt,
      };
    }),
    refunds: world.refunds.map(({ id, key, transactionId, wireAmount, status }) => {
      const paid = world.sessions.find((session) => transactionOf(session) === transactionId);
      return { id, paymentId: paid?.key ?? "", key, wireAmount, status, completedAt: times.now };
    }),
  };
}
