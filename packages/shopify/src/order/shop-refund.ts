import { type Money, parseMoney } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { readRefund } from "../operations/refund-operations.ts";
import type { GatewayNames } from "../records/shops.ts";
import { isByOurGateway } from "./order-transactions.ts";

type ShopRefund = NonNullable<Awaited<ReturnType<typeof findShopRefund>>>;

/** The key of a refund of Shopify. It is the same however the refund is found, so the refund is paid once. */
export function shopRefundKey(refundId: string): string {
  return `shopify-refund:${refundId}`;
}

export function findShopRefund({ graphql }: AppContext, shop: string, refundId: string) {
  return graphql.call(shop, readRefund, { id: `gid://shopify/Refund/${refundId}` });
}

/** The amount of the refund under our payment method. Null where it is zero or in several currencies. */
export function refundedAmount({ transactions }: ShopRefund, gateways: GatewayNames): Money | null {
  const amounts: Money[] = [];
  for (const transaction of transactions.nodes) {
    const { kind, status, amountSet } = transaction;
    const isEffective = status === "SUCCESS" || status === "PENDING";
    if (kind !== "REFUND" || !isEffective || !isByOurGateway(transaction, gateways)) continue;
    amounts.push(parseMoney(amountSet.presentmentMoney.amount, amountSet.presentmentMoney.currencyCode));
  }
  const [first] = amounts;
  const minor = amounts.reduce((sum, amount) => sum + amount.minor, 0);
  const isOneCurrency = amounts.every(({ currency }) => currency === first?.currency);
  return first && isOneCurrency && minor !== 0 ? { ...first, minor } : null;
}
