import { type Money, type OrderRef, type Payment, parseMoney, type Refund } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { readRefund } from "../operations/refund-operations.ts";
import type { GatewayNames } from "../records/shops.ts";
import { isByOurGateway } from "./order-transactions.ts";
import { refundIdInNote } from "./record-order-refund.ts";

type ShopRefund = NonNullable<Awaited<ReturnType<typeof findShopRefund>>>;

/** A refund of Shopify with the payments of its order. `key` identifies the refund in our ledger and at the service. */
export type RefundRequest = {
  readonly ref: OrderRef;
  readonly key: string;
  readonly refund: ShopRefund;
  readonly payments: readonly Payment[];
  readonly gateways: GatewayNames;
};

/** The key of a refund of Shopify. It is the same however the refund is found, so the refund is paid once. */
export function shopRefundKey(refundId: string): string {
  return `shopify-refund:${refundId}`;
}

export function hasKey(refund: Pick<Refund, "key" | "otherKeys">, key: string): boolean {
  return refund.key === key || refund.otherKeys.includes(key);
}

export function findShopRefund({ graphql }: AppContext, shop: string, refundId: string) {
  return graphql.call(shop, readRefund, { id: `gid://shopify/Refund/${refundId}` });
}

/** The amount of the refund under our payment method. Null where it is zero or in another currency than the payment. */
export function refundedAmount({ refund, gateways }: RefundRequest, currency: string): Money | null {
  let minor = 0;
  for (const transaction of refund.transactions.nodes) {
    const { kind, status, amountSet } = transaction;
    const isEffective = status === "SUCCESS" || status === "PENDING";
    if (kind !== "REFUND" || !isEffective || !isByOurGateway(transaction, gateways)) continue;
    const amount = parseMoney(amountSet.presentmentMoney.amount, amountSet.presentmentMoney.currencyCode);
    if (amount.currency !== currency) return null;
    minor += amount.minor;
  }
  return minor > 0 ? { minor, currency } : null;
}

/** Whether we recorded this refund in the shop because the service had paid it. Paying it would refund twice. */
export async function isMadeByUs(
  { ledger }: Pick<AppContext, "ledger">,
  { payments, refund }: RefundRequest,
): Promise<boolean> {
  // The note contains the refund's id at the service, or its key where the service had not returned an id yet.
  const notedId = refundIdInNote(refund.note);
  if (notedId === null) return false;
  const refunds = (await Promise.all(payments.map((payment) => ledger.refunds(payment.id)))).flat();
  return refunds.some(({ refundId, key, origin }) => origin !== "store" && (refundId === notedId || key === notedId));
}
