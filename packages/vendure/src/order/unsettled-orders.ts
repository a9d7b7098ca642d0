import type { OrderRef } from "@tillkit/core";
import { Order } from "@vendure/core";
import { pluginLimits } from "../limits.ts";
import type { VendureAdapterOptions } from "../vendure-adapter.ts";
import { channelOf } from "./read-order.ts";

/** Orders of the shop that were changed since this time and wait for a payment, in the order of their ids. */
export async function* unsettledOrders(
  { services, shop, context }: VendureAdapterOptions,
  since: number,
): AsyncGenerator<{ ref: OrderRef; attempt: string }> {
  const rows = services.connection.getRepository(await context(), Order);
  let after: string | number | null = null;
  for (;;) {
    const query = rows
      .createQueryBuilder("order")
      .innerJoinAndSelect("order.channels", "channel")
      .where("order.updatedAt >= :since", { since: new Date(since) })
      .andWhere("order.state IN (:...states)", { states: ["AddingItems", "ArrangingPayment"] });
    const next = after === null ? query : query.andWhere("order.id > :after", { after });
    const found: Order[] = await next.orderBy("order.id", "ASC").take(pluginLimits.ordersPerPage).getMany();
    for (const order of found) {
      after = order.id;
      if (channelOf(order) === shop.channel) yield { ref: { storeId: shop.channel, orderId: order.code }, attempt: "" };
    }
    if (found.length < pluginLimits.ordersPerPage) return;
  }
}
