import type { Ledger, Payment } from "@tillkit/core";
import { isLostDispute, isOpenDispute, type PaymentWithMovements } from "@tillkit/core/ledger";
import type { OrderCoverage, OrderFact } from "../facts/facts.ts";
import { auditLimits } from "../limits.ts";
import type { OrderReader, ReadJob } from "./reader.ts";

export type LedgerReaderOptions = {
  readonly shop: string;
  readonly ledger: Ledger;
  readonly storeId?: string | undefined;
};

/** Reads a ledger of Tillkit as a shop: what it recorded on the orders of its stores. It opens the ledger like every command, and writes nothing. */
export function createLedgerReader({ shop, ledger, storeId }: LedgerReaderOptions): OrderReader {
  async function read(job: ReadJob): Promise<OrderCoverage> {
    const from = job.from - auditLimits.ordersBeforeMs;
    const byOrder = new Map<string, PaymentWithMovements[]>();
    let after: string | undefined;
    do {
      const page = await ledger.listPayments({
        from,
        limit: auditLimits.factsPerWrite,
        ...(storeId === undefined ? {} : { storeId }),
        ...(after === undefined ? {} : { after }),
      });
      for (const row of await ledger.paymentsWithMovements(page.rows.map(({ id }) => id))) {
        const { ref } = row.payment;
        const key = `${ref.storeId}/${ref.orderId}`;
        byOrder.set(key, [...(byOrder.get(key) ?? []), row]);
      }
      after = page.next ?? undefined;
      job.onProgress({ source: shop, rows: byOrder.size, total: null });
    } while (after !== undefined);
    const facts = [...byOrder].flatMap(([id, rows]) => toOrder(shop, id, rows) ?? []);
    await job.store.save(facts.map((fact) => ({ kind: "order", id: fact.id, at: fact.createdAt, fact })));
    return {
      shop,
      from,
      until: job.now,
      shows: { refunds: true, cancellations: false, methods: true, ids: true, disputes: true },
      site: null,
      methods: ["tillkit"],
    };
  }

  return { shop, read };
}

function toOrder(shop: string, id: string, rows: readonly PaymentWithMovements[]): OrderFact | null {
  const newest = rows.reduce(
    (best, row) => (row.payment.createdAt > best.payment.createdAt ? row : best),
    rows[0] as PaymentWithMovements,
  );
  const counting = rows.find(({ payment }) => SHOWN.has(payment.state) && !payment.lostToDispute) ?? newest;
  const { payment } = counting;
  const refunds = counting.movements.refunds.filter(({ state }) => state === "completed" || state === "pending");
  const minor = refunds.reduce((sum, { amount }) => sum + amount.minor, 0);
  const disputes = rows.flatMap(({ movements }) => movements.disputes);
  return {
    shop,
    id,
    number: payment.orderNumber,
    createdAt: rows.reduce((least, row) => Math.min(least, row.payment.createdAt), payment.createdAt),
    changedAt: payment.createdAt,
    paidAt: SHOWN.has(payment.state) ? (counting.movements.transactions[0]?.at ?? payment.createdAt) : null,
    state: payment.state === "refunded" ? "refunded" : SHOWN.has(payment.state) ? "paid" : "unpaid",
    total: payment.amountDue,
    otherTotal: null,
    paid: payment.waiver === null ? null : payment.amountReceived,
    refunded: minor === 0 ? null : { minor, currency: payment.amountDue.currency },
    isRounded: false,
    isTest: payment.environment === "test",
    method: "tillkit",
    names: [...new Set(rows.flatMap(({ payment: row, movements }) => namesOf(row, movements)))],
    aliases: [payment.ref.orderId.toLowerCase()],
    relatedTo: null,
    knowsDispute: disputes.some((dispute) => isOpenDispute(dispute) || isLostDispute(dispute)),
    customer: null,
    url: null,
  };
}

const SHOWN: ReadonlySet<Payment["state"]> = new Set(["recorded", "refunded"]);

function namesOf(
  { id, session, transactionId }: Payment,
  { transactions }: PaymentWithMovements["movements"],
): readonly string[] {
  const certain = transactions.filter(({ evidence }) => evidence !== "resemblance").map((row) => row.id);
  return [id, session?.id ?? "", transactionId ?? "", ...certain].filter(Boolean).map((name) => name.toLowerCase());
}
