import type { OrderRef } from "@tillkit/core";
import type { Erased, LedgerRetention, OrderExport } from "@tillkit/core/ledger";
import type { Database } from "@tillkit/sql";
import { sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";
import { forgetJobs } from "../jobs/jobs.ts";
import { findDisputes } from "../payments/disputes.ts";
import { findPaymentsOfOrder } from "../payments/payments.ts";
import { findRefunds } from "../payments/refunds.ts";
import { readTimeline } from "../payments/timeline.ts";
import { findTransactions } from "../payments/transactions.ts";
import { eraseStore } from "./erase-store.ts";
import { findPaymentIds, IS_FINAL, redactDeliveries, redactPayments } from "./final-payments.ts";

type PruneRequest = { readonly before: number; readonly limit: number };

export function createRetention(database: Database<LedgerSchema>): LedgerRetention {
  const { db, transaction } = database;
  return {
    async prune(request) {
      const pruned = await prune(database, request);
      await database.truncateLog?.();
      return pruned;
    },
    exportOrder: (ref) => exportOrder(db, ref),
    async eraseOrders(refs) {
      let total: Erased = { erased: 0, unfinished: 0 };
      for (const ref of refs) {
        const { erased, unfinished } = await transaction((session) => eraseOrder(session, ref));
        total = { erased: total.erased + erased, unfinished: total.unfinished + unfinished };
      }
      await database.truncateLog?.();
      return total;
    },
    async eraseStore(storeId) {
      const erased = await eraseStore(database, storeId);
      await database.truncateLog?.();
      return erased;
    },
    forgetJobs: (before) => transaction((session) => forgetJobs(session, before)),
  };
}

async function prune({ engine, transaction }: Database<LedgerSchema>, { before, limit }: PruneRequest) {
  return await transaction(async (session) => {
    const paymentIds = await findOldPayments(session, engine, { before, limit });
    await redactPayments(session, paymentIds);
    return { payments: paymentIds.length, deliveries: await pruneDeliveries(session, { before, limit }) };
  });
}

/** Uses the index of unpruned payments. Without the hint SQLite reads all pruned payments every time. */
async function findOldPayments(session: Session, engine: "sqlite" | "postgres", { before, limit }: PruneRequest) {
  const indexHint = engine === "sqlite" ? sql`indexed by tillkit_payments_to_prune` : sql``;
  const { rows } = await sql<{ id: string }>`
    select payment.id from tillkit_payments payment ${indexHint}
    where payment.created_at < ${before} and payment.request <> '' and ${IS_FINAL}
    order by payment.created_at limit ${limit}`.execute(session);
  return rows.map(({ id }) => id);
}

async function pruneDeliveries(session: Session, { before, limit }: PruneRequest): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update tillkit_deliveries set body = ${new Uint8Array()} where (endpoint_id, digest) in (
      select delivery.endpoint_id, delivery.digest from tillkit_deliveries delivery
      where delivery.received_at < ${before} and delivery.outcome is not null and octet_length(delivery.body) > 0
        and delivery.transaction_id is null
        and (delivery.payment_id is null or not exists (
          select 1 from tillkit_payments payment where payment.id = delivery.payment_id and not (${IS_FINAL})))
      order by delivery.received_at limit ${limit})`.execute(session);
  return Number(numAffectedRows);
}

async function exportOrder(session: Session, ref: OrderRef): Promise<OrderExport | null> {
  const payments = await findPaymentsOfOrder(session, ref);
  if (payments.length === 0) return null;
  const ids = payments.map(({ id }) => id);
  const deliveries = await session
    .selectFrom("tillkit_deliveries")
    .select(["received_at", "body"])
    .where("payment_id", "in", ids)
    .orderBy("received_at")
    .orderBy("digest")
    .execute();
  return {
    ref,
    payments,
    transactions: await findTransactions(session, ids),
    refunds: await findRefunds(session, ids),
    disputes: await findDisputes(session, ids),
    timeline: await readTimeline(session, { ref }),
    deliveries: deliveries.map(({ received_at, body }) => ({
      receivedAt: received_at,
      body: new TextDecoder().decode(body),
    })),
  };
}

async function eraseOrder(session: Session, { storeId, orderId }: OrderRef): Promise<Erased> {
  const ofOrder = sql`payment.store_id = ${storeId} and payment.order_id = ${orderId}`;
  const allIds = await findPaymentIds(session, ofOrder);
  const finalIds = await findPaymentIds(session, sql`${ofOrder} and ${IS_FINAL}`);
  await redactPayments(session, finalIds);
  await redactDeliveries(session, finalIds);
  return { erased: finalIds.length, unfinished: allIds.length - finalIds.length };
}
