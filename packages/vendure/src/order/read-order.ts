import type { EntityRelationPaths, RequestContext, Order as VendureOrder } from "@vendure/core";
import { DEFAULT_CHANNEL, type Shop } from "../options/options.ts";
import type { VendureServices } from "../vendure-services.ts";

const RELATIONS: readonly EntityRelationPaths<VendureOrder>[] = [
  "lines",
  "lines.productVariant",
  "channels",
  "customer",
  "payments",
  "payments.refunds",
];

/**
 * Reads an order of this shop with its payments. Null if there is no such order, or if the order belongs to another shop. Vendure
 * assigns every order to the default channel too, so an order of the default channel's shop has no other channel.
 */
export async function readOrder(
  { orders }: Pick<VendureServices, "orders">,
  context: RequestContext,
  { channel }: Pick<Shop, "channel">,
  code: string,
): Promise<VendureOrder | null> {
  const order = await orders.findOneByCode(context, code, [...RELATIONS]);
  // The database may ignore the case of texts, but only the exact code is the order's id.
  if (order?.code !== code) return null;
  return channelOf(order) === channel ? order : null;
}

/** The code of the channel whose shop sells this order. */
export function channelOf({ channels }: Pick<VendureOrder, "channels">): string {
  const otherChannel = channels.find(({ code }) => code !== DEFAULT_CHANNEL);
  return otherChannel?.code ?? DEFAULT_CHANNEL;
}
