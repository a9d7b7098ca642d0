import { codeOf } from "@tillkit/core";
import type { ReadOrder } from "@tillkit/php-bridge";
import type { WooOrder } from "../store/woo-order.ts";
import type { WooStore } from "../store/woo-store.ts";

/** The order as the plugin compares it under its lock. */
export function readOrderOf({ id, order_key: key, total: amount, currency }: WooOrder): ReadOrder {
  return { id: String(id), key, amount, currency };
}

/** Null if the REST API must be used, because the plugin cannot be reached. Where only the plugin may write, that is an error. */
export async function byPluginOrRest<Answer>(store: WooStore, call: Promise<Answer>): Promise<Answer | null> {
  return await call.catch((error: unknown) => {
    if (codeOf(error) === "reconnect" && store.writeOrdersBy === "auto") return null;
    throw error;
  });
}

/**
 * False if the plugin cannot be reached: then the REST API must be used. Where only the plugin may write, that is an error: no write of this
 * shop waits for another, and a late hold over the REST API would put a paid order on hold.
 */
export async function isDoneByPlugin(store: WooStore, call: Promise<void>): Promise<boolean> {
  const done = call.then(() => true);
  return (await byPluginOrRest(store, done)) === true;
}
