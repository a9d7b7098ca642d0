import type { Clock } from "@tillkit/core";
import { wooLimits } from "../limits.ts";
import type { WooOrder } from "../store/woo-order.ts";

/**
 * Orders that the engine has just read. The plugin compares the order under its lock, so the order need not be read a second
 * time before it is marked paid.
 */
export type RecentOrders = {
  put(order: WooOrder): void;
  /** Returns and removes the order; null if it is unknown or too old. */
  take(orderId: string): WooOrder | null;
};

export function createRecentOrders(clock: Clock): RecentOrders {
  const entries = new Map<string, { readonly order: WooOrder; readonly readAt: number }>();
  return {
    put(order) {
      const orderId = String(order.id);
      entries.delete(orderId);
      entries.set(orderId, { order, readAt: clock.now() });
      const [oldest] = entries.keys();
      if (entries.size > wooLimits.recentOrders && oldest !== undefined) entries.delete(oldest);
    },
    take(orderId) {
      const entry = entries.get(orderId);
      entries.delete(orderId);
      return entry && clock.now() - entry.readAt <= wooLimits.recentOrderMs ? entry.order : null;
    },
  };
}
