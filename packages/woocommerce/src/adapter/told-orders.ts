import type { Clock } from "@tillkit/core";
import { wooLimits } from "../limits.ts";
import type { WooOrder } from "./woo-order.ts";

/**
 * Orders as the engine was told them a moment ago. Where the plugin compares the order under its lock anyway, it need not be
 * read a second time before it is marked paid.
 */
export type ToldOrders = {
  keep(order: WooOrder): void;
  /** Once; null when it was told too long ago, or not at all. */
  take(orderId: string): WooOrder | null;
};

export function createToldOrders(clock: Clock): ToldOrders {
  const told = new Map<string, { readonly order: WooOrder; readonly at: number }>();
  return {
    keep(order) {
      const orderId = String(order.id);
      told.delete(orderId);
      told.set(orderId, { order, at: clock.now() });
      const [oldest] = told.keys();
      if (told.size > wooLimits.toldOrders && oldest !== undefined) told.delete(oldest);
    },
    take(orderId) {
      const known = told.get(orderId);
      told.delete(orderId);
      return known && clock.now() - known.at <= wooLimits.toldOrderMs ? known.order : null;
    },
  };
}
