import { createServiceClient, type ServiceRefund } from "@tillkit/client";
import type { World } from "./world.ts";

/** Looks directly into Medusa's tables and at the service: neither the plugin nor Medusa's API can vouch for itself. */
export type Probe = {
  /** The orders a cart became: one, or none. */
  orders(cartId: string): Promise<readonly string[]>;
  /** What Medusa holds as captured, in major units, one for each capture. */
  captures(collectionId: string): Promise<readonly number[]>;
  /** Refunds as the service counts them, in minor units. */
  refunds(checkoutId: string): Promise<readonly ServiceRefund[]>;
  /** Waits for the order of a cart. @returns its id and how long it took */
  orderWithin(cartId: string, milliseconds: number): Promise<{ readonly orderId: string; readonly ms: number }>;
};

export function createProbe(world: Pick<World, "sandbox" | "sql">): Probe {
  const { sandbox, sql } = world;
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
    async orderWithin(cartId, milliseconds) {
      const startedAt = performance.now();
      const [orderId] = await until(
        () => orders(cartId),
        (found) => found.length > 0,
        milliseconds,
      );
      return { orderId: orderId ?? "", ms: performance.now() - startedAt };
    },
  };
}

/** Looks again until it is so. @throws Error when it is not so after a while */
export async function until<Seen>(
  look: () => Promise<Seen>,
  isSo: (seen: Seen) => boolean,
  milliseconds: number,
): Promise<Seen> {
  const giveUpAt = performance.now() + milliseconds;
  for (;;) {
    const seen = await look();
    if (isSo(seen)) return seen;
    if (performance.now() > giveUpAt) throw new Error(`Not so after ${milliseconds} ms: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
