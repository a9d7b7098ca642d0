import type { OrderRef } from "@tillkit/core";
import { Order } from "@vendure/core";
import { pluginLimits } from "../limits.ts";
import type { VendureAdapterOptions } from "../vendure-adapter.ts";
import { channelOf } from "./read-order.ts";

/** The shop's orders that wait for a payment and were changed since this time, sorted by id. */
export async function* unsettledOrders(
  { services, shop, context }: VendureAdapterOptions,
  since: number,
): AsyncGenerator<{ ref: OrderRef; attempt: string }> {
  const rows = services.connection.getRepository(await context(), Order);
  let lastId: string | number | null = null;
  for (;;) {
    const unpaid = rows
      .createQueryBuilder("order")
      .innerJoinAndSelect("order.channels", "channel")
      .where("order.updatedAt >= :since", { since: new Date(since) })
      .andWhere("order.state IN (:...states)", { states: ["AddingItems", "ArrangingPayment"] });
    const page = lastId === null ? unpaid : unpaid.andWhere("order.id > :lastId", { lastId });
    const found: Order[] = await page.orderBy("order.id", "ASC").take(pluginLimits.ordersPerPage).getMany();
    for (const order of found) {
      lastId = order.id;
      if (channelOf(order) === shop.channel) yield { ref: { storeId: shop.channel, orderId: order.code }, attempt: "" };
    }
    if (found.length < pluginLimits.ordersPerPage) return;
  }
}
