import type { Ledger, Money, Payment } from "@tillkit/core";
import { formatJobError } from "@tillkit/core/ledger";
import { type Evidence, emptyEvidence, findViolations } from "@tillkit/testkit/simulator";
import { parseRequest, transactionIdOf, type UpgradeFixture } from "./fixture-service.ts";
import { createFixtureStore } from "./fixture-store.ts";
import { findTaskProblems } from "./fixture-tasks.ts";

/** The number of refunds in the ledger of the older version. */
const FIXTURE_REFUNDS = 8;

type Times = { readonly startedAt: number; readonly now: number };

/** Describes every violated invariant and all unfinished work after the work should be finished. */
export async function findProblems(fixture: UpgradeFixture, ledger: Ledger, times: Times): Promise<readonly string[]> {
  const { rows: payments, next } = await ledger.listPayments({ limit: 500 });
  const violations = findViolations(await gatherEvidence(fixture, ledger, payments, times));
  const jobs = await ledger.countJobs(times.now);
  const deliveries = await ledger.countDeliveries();
  const refunds = (await Promise.all(payments.map(({ id }) => ledger.refunds(id)))).flat();
  const unsettled = refunds.filter(({ state }) => state !== "completed" && state !== "failed");
  const shop = await ledger.records.get("hats", "shop", "main");
  return [
    ...violations.map(({ invariant, reason }) => `${invariant}: ${reason}`),
    ...(next === null ? [] : ["there are more payments than the old ledger and the finished work can explain"]),
    ...(jobs.due + jobs.dead === 0 ? [] : [`${jobs.due} due and ${jobs.dead} dead jobs are left`]),
    ...(deliveries.waiting === 0 ? [] : [`${deliveries.waiting} deliveries were never processed`]),
    ...unsettled.map(({ key, state }) => `the refund "${key}" is still ${state}`),
    ...(refunds.length < FIXTURE_REFUNDS ? [`only ${refunds.length} refunds of ${FIXTURE_REFUNDS} are left`] : []),
    ...(shop?.version === 1 ? [] : ["the record of the store is lost"]),
    ...(await findTaskProblems(fixture, ledger)),
  ];
}

async function gatherEvidence(
  fixture: UpgradeFixture,
  ledger: Ledger,
  payments: readonly Payment[],
  times: Times,
): Promise<Evidence> {
  const deadJobs = (await ledger.listJobs({ dead: true, limit: 99 })).rows;
  return {
    ...emptyEvidence,
    faultsEndedAt: times.startedAt,
    gatheredAt: times.now,
    payments,
    deadJobs: deadJobs.map(({ kind, paymentId, error }) => ({
      kind,
      paymentId,
      reason: error === null ? "" : formatJobError(error),
    })),
    orders: fixture.orders.map(({ storeId, orderId, total, effects, holds, notes }) => ({
      ref: { storeId, orderId },
      writes: createFixtureStore(fixture, storeId, { now: () => times.now, sleep: async () => {} }).writes,
      effects: effects.map((effect) => ({ ...effect, total: xof(total) })),
      totals: [{ total: xof(total), from: 0 }],
      closedAt: null,
      closedAttempts: [],
      holds,
      notes,
    })),
    sessions: fixture.sessions.map(({ id, key, request, paidAmount, completedAt, expiresAt }) => {
      const body = parseRequest(request);
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
    refunds: fixture.refunds.map(({ id, key, transactionId, wireAmount, status }) => {
      const paid = fixture.sessions.find((session) => transactionIdOf(session) === transactionId);
      return { id, paymentId: paid?.key ?? "", key, wireAmount, status, completedAt: times.now };
    }),
  };
}

function xof(minor: number): Money {
  return { minor, currency: "XOF" };
}
