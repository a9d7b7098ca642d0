import { type Money, parseMoney } from "@tillkit/core";
import type { AdminOrder, OrderTransaction } from "../operations/order-queries.ts";
import type { GatewayNames } from "../records/shops.ts";

/** Whether the shopper chose the manual payment method of this shop. Cash on delivery is a manual method too. */
export function isOurOrder({ transactions }: AdminOrder, gatewayName: string | null): boolean {
  return transactions.some((transaction) => hasGatewayName(transaction, gatewayName));
}

/** The sale of our payment method that waits for a capture. */
export function pendingSale({ transactions }: AdminOrder, gatewayName: string | null): OrderTransaction | null {
  const isPending = ({ kind, status, manualPaymentGateway }: OrderTransaction) =>
    kind === "SALE" && status === "PENDING" && manualPaymentGateway;
  return transactions.find((one) => isPending(one) && hasGatewayName(one, gatewayName)) ?? null;
}

/** A payment that was recorded under our payment method, under its present or a former name. */
export function recordedSale({ transactions }: AdminOrder, gateways: GatewayNames): OrderTransaction | null {
  return transactions.find((one) => isRecordedPayment(one) && isByOurGateway(one, gateways)) ?? null;
}

/** The amount under our payment method that the order does not show as refunded, in minor units. */
export function refundableMinor({ transactions }: AdminOrder, gateways: GatewayNames): number {
  const own = transactions.filter((one) => one.status === "SUCCESS" && isByOurGateway(one, gateways));
  const minorOf = ({ amountSet }: OrderTransaction) => amountOf(amountSet).minor;
  const signed = own.map((one) => (isRecordedPayment(one) ? minorOf(one) : one.kind === "REFUND" ? -minorOf(one) : 0));
  return signed.reduce((sum, minor) => sum + minor, 0);
}

export function isRecordedPayment({ kind, status }: OrderTransaction): boolean {
  return (kind === "SALE" || kind === "CAPTURE") && status === "SUCCESS";
}

/** Whether a transaction has the present name of our payment method or a former one. */
export function isByOurGateway(transaction: Pick<OrderTransaction, "gateway">, gateways: GatewayNames): boolean {
  return [gateways.gatewayName, ...gateways.formerGateways].some((name) => hasGatewayName(transaction, name));
}

/** Owners type the name by hand, so case and surrounding spaces do not count. */
function hasGatewayName({ gateway }: Pick<OrderTransaction, "gateway">, gatewayName: string | null): boolean {
  return gatewayName !== null && normalize(gateway ?? "") === normalize(gatewayName);
}

/** The names of transactions that were recorded without a payment method. */
const UNNAMED_GATEWAYS: ReadonlySet<string> = new Set(["", "manual", "other"]);

export function isUnnamedGateway({ gateway }: OrderTransaction): boolean {
  return UNNAMED_GATEWAYS.has(normalize(gateway ?? ""));
}

function normalize(text: string): string {
  return text.normalize("NFKC").trim().toLowerCase();
}

/** The amount in the currency that the shopper saw. A negative amount counts as zero. */
export function amountOf({ presentmentMoney: { amount, currencyCode } }: OrderTransaction["amountSet"]): Money {
  return parseMoney(amount.startsWith("-") ? "0" : amount, currencyCode);
}
