import { createServiceClient, type RefundRow } from "@tillkit/client";
import { PATIENCE_MS } from "../waiting/patience.ts";
import type { Fixture } from "./fixture.ts";

/** Reads Medusa's tables and the service directly, independent of the plugin and of Medusa's API. */
export type Probe = {
  /** The ids of a cart's orders: one id, or none. */
  orders(cartId: string): Promise<readonly string[]>;
  /** The captured amounts in Medusa, in major units, one per capture. */
  captures(collectionId: string): Promise<readonly number[]>;
  /** The service's refunds, in minor units. */
  refunds(checkoutId: string): Promise<readonly RefundRow[]>;
  /** Waits for the order of a cart. @returns its id and the time until it existed */
  orderOf(cartId: string): Promise<{ readonly orderId: string; readonly ms: number }>;
};

export function createProbe(fixture: Pick<Fixture, "sandbox" | "sql">): Probe {
  const { sandbox, sql } = fixture;
  const service = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });

  async function orders(cartId: string): Promise<readonly string[]> {
    const rows = await sql<{ order_id: string }>(
      `select order_id from order_cart where cart_id = '${cartId}' and deleted_at is null`,
    );
    return rows.map(({ order_id }) => order_id);
  }

  return {
    orders,
    async captures(collectionId) {
      const rows = await sql<{ amount: string }>(
        `select c.amount from capture c join payment p on p.id = c.payment_id
         where p.payment_collection_id = '${collectionId}' and c.deleted_at is null`,
      );
      return rows.map(({ amount }) => Number(amount));
    },
    async refunds(checkoutId) {
      const events = await sandbox.control.listEvents({ sessionId: checkoutId });
      const transactions = new Set(events.map(({ transaction_id }) => transaction_id));
      const { data } = await service.refunds.list();
      return data.items.filter(({ transactionId }) => transactionId && transactions.has(transactionId));
    },
    async orderOf(cartId) {
      const startedAt = performance.now();
      const [orderId] = await waitUntil(
        () => orders(cartId),
        (found) => found.length > 0,
      );
      return { orderId: orderId ?? "", ms: performance.now() - startedAt };
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
    if (performance.now() > giveUpAt)
      throw new Error(`The condition does not hold after ${PATIENCE_MS} ms: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
