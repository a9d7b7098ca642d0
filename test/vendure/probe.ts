import { PATIENCE_MS } from "../waiting/patience.ts";
import type { Sql } from "./fixture.ts";

export type PaymentRow = {
  readonly id: number;
  readonly state: string;
  readonly amount: number;
  readonly ours: boolean;
  readonly paymentId: string | null;
};
export type RefundRow = {
  readonly id: number;
  readonly state: string;
  readonly total: number;
  readonly transactionId: string;
};

/** Reads Vendure's tables directly, independent of the plugin and of Vendure's API. Amounts in hundredths. */
export type Probe = {
  order(code: string): Promise<{ id: number; state: string; active: boolean; total: number }>;
  /** Every payment that was ever made for the order, settled or not, attached to it. */
  payments(code: string): Promise<readonly PaymentRow[]>;
  refunds(code: string): Promise<readonly RefundRow[]>;
  notes(code: string): Promise<readonly string[]>;
  /** How often the order went to PaymentSettled, according to its history. */
  timesSettled(code: string): Promise<number>;
  /** How many units of stock were allocated to the order. */
  allocated(code: string): Promise<number>;
  /** Payments of this method that belong to no order: what a race leaves behind. */
  orphans(method: string): Promise<number>;
};

export function createProbe(sql: Sql): Probe {
  return {
    async order(code) {
      const [row] = await sql<{ id: number; state: string; active: boolean; total: number }>(
        `select id, state, active, ("subTotalWithTax" + "shippingWithTax")::int as total from "order" where code = '${code}'`,
      );
      if (!row) throw new Error(`There is no order ${code}.`);
      return row;
    },
    payments: (code) =>
      sql(`select p.id, p.state, p.amount, p.metadata like '%tillkitPaymentId%' as ours,
             p.metadata::json ->> 'tillkitPaymentId' as "paymentId"
           from payment p join "order" o on o.id = p."orderId" where o.code = '${code}' order by p.id`),
    refunds: (code) =>
      sql(`select r.id, r.state, r.total, r."transactionId" from refund r join payment p on p.id = r."paymentId"
           join "order" o on o.id = p."orderId" where o.code = '${code}' order by r.id`),
    async notes(code) {
      const rows = await sql<{ data: string }>(
        `select h.data from history_entry h join "order" o on o.id = h."orderId" where o.code = '${code}' and h.type = 'ORDER_NOTE' order by h.id`,
      );
      return rows.map(({ data }) => (JSON.parse(data) as { note: string }).note);
    },
    async timesSettled(code) {
      const rows = await sql(
        `select 1 from history_entry h join "order" o on o.id = h."orderId"
         where o.code = '${code}' and h.type = 'ORDER_STATE_TRANSITION' and h.data like '%"to":"PaymentSettled"%'`,
      );
      return rows.length;
    },
    async allocated(code) {
      const [row] = await sql<{ units: number }>(
        `select coalesce(sum(m.quantity), 0)::int as units from stock_movement m join order_line l on l.id = m."orderLineId"
         join "order" o on o.id = l."orderId" where o.code = '${code}' and m.type = 'ALLOCATION'`,
      );
      return row?.units ?? 0;
    },
    async orphans(method) {
      return (await sql(`select 1 from payment where "orderId" is null and method = '${method}'`)).length;
    },
  };
}

/** Reads a value until the condition holds. @throws Error when it does not hold in time */
export async function waitUntil<Value>(
  read: () => Promise<Value>,
  condition: (value: Value) => boolean,
): Promise<Value> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const value = await read();
    if (condition(value)) return value;
    if (performance.now() > giveUpAt) {
      throw new Error(`The condition does not hold after ${PATIENCE_MS} ms: ${JSON.stringify(value)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
