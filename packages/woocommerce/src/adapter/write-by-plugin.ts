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

/** False if the plugin cannot be reached: then the REST API does what hurts nobody when it comes late. */
export async function isDoneByPlugin(call: Promise<void>): Promise<boolean> {
  return await call.then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === "reconnect") return false;
      throw error;
    },
  );
}
