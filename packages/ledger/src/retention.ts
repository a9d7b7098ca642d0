import type { Dispute, Erased, LedgerRetention, OrderExport, OrderRef, Refund } from "@tillkit/core";
import type { Database } from "@tillkit/sql";
import { sql } from "kysely";
import { disputesOf } from "./disputes.ts";
import { eraseStore } from "./erase-store.ts";
import { emptyDeliveriesOf, emptyPayments, IS_FINAL, idsOf } from "./final-payments.ts";
import { siblingsOf } from "./payments.ts";
import { refundsOf } from "./refunds.ts";
import type { LedgerSchema, Session } from "./schema.ts";
import { storyOf } from "./story.ts";

type Age = { readonly before: number; readonly limit: number };

export function createRetention(database: Database<LedgerSchema>): LedgerRetention {
  const { db, transaction } = database;
  return {
    prune: (want) => prune(database, want),
    exportOrder: (ref) => exportOrder(db, ref),
    async eraseOrders(refs) {
      let sum: Erased = { erased: 0, unfinished: 0 };
      for (const ref of refs) {
        const { erased, unfinished } = await transaction((session) => eraseOrder(session, ref));
        sum = { erased: sum.erased + erased, unfinished: sum.unfinished + unfinished };
      }
      return sum;
    },
    eraseStore: (storeId) => eraseStore(database, storeId),
  };
}

async function prune({ engine, transaction }: Database<LedgerSchema>, { before, limit }: Age) {
  return await transaction(async (session) => {
    const payments = await oldPayments(session, engine, { before, limit });
    await emptyPayments(session, payments);
    return { payments: payments.length, deliveries: await pruneDeliveries(session, { before, limit }) };
  });
}

/** Along the index of what is left to prune. SQLite has to be told: it would read what was pruned long ago, every time. */
async function oldPayments(session: Session, engine: "sqlite" | "postgres", { before, limit }: Age) {
  const along = engine === "sqlite" ? sql`indexed by tillkit_payments_to_prune` : sql``;
  const { rows } = await sql<{ id: string }>`
    select payment.id from tillkit_payments payment ${along}
    where payment.created_at < ${before} and payment.request <> '' and ${IS_FINAL}
    order by payment.created_at limit ${limit}`.execute(session);
  return rows.map(({ id }) => id);
}

async function pruneDeliveries(session: Session, { before, limit }: Age): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update tillkit_deliveries set body = ${new Uint8Array()} where (endpoint_id, digest) in (
      select delivery.endpoint_id, delivery.digest from tillkit_deliveries delivery
      where delivery.received_at < ${before} and delivery.outcome is not null and octet_length(delivery.body) > 0
        and (delivery.payment_id is null or not exists (
          select 1 from tillkit_payments payment where payment.id = delivery.payment_id and not (${IS_FINAL})))
      order by delivery.received_at limit ${limit})`.execute(session);
  return Number(numAffectedRows);
}

async function exportOrder(session: Session, ref: OrderRef): Promise<OrderExport | null> {
  const payments = await siblingsOf(session, ref);
  if (payments.length === 0) return null;
  const [refunds, disputes] = [[], []] as [Refund[], Dispute[]];
  for (const { id } of payments) {
    refunds.push(...(await refundsOf(session, id)));
    disputes.push(...(await disputesOf(session, id)));
  }
  const deliveries = await session
    .selectFrom("tillkit_deliveries")
    .select(["received_at", "body"])
    .where(
      "payment_id",
      "in",
      payments.map(({ id }) => id),
    )
    .orderBy("received_at")
    .orderBy("digest")
    .execute();
  return {
    ref,
    payments,
    refunds,
    disputes,
    timeline: await storyOf(session, { ref }),
    deliveries: deliveries.map(({ received_at, body }) => ({
      receivedAt: received_at,
      body: new TextDecoder().decode(body),
    })),
  };
}

async function eraseOrder(session: Session, { storeId, orderId }: OrderRef): Promise<Erased> {
  const ofOrder = sql`payment.store_id = ${storeId} and payment.order_id = ${orderId}`;
  const all = await idsOf(session, ofOrder);
  const final = await idsOf(session, sql`${ofOrder} and ${IS_FINAL}`);
  await emptyPayments(session, final);
  await emptyDeliveriesOf(session, final);
  return { erased: final.length, unfinished: all.length - final.length };
}
