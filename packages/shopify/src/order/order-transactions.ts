import { type Money, parseMoney } from "@tillkit/core";
import { isSameGateway, normalizeGateway } from "../gateway-name.ts";
import type { AdminOrder, OrderTransaction } from "../operations/order-queries.ts";
import type { GatewayNames, OrderSettings } from "../records/shops.ts";

/** Whether the shopper chose one of our manual payment methods. Cash on delivery is a manual method too. */
export function isOurOrder({ transactions }: AdminOrder, { gatewayName, testGatewayName }: GatewayNames): boolean {
  return transactions.some((one) => hasGatewayName(one, [gatewayName, testGatewayName]));
}

/**
 * Whether no real money pays this order: its shop is a development store, Shopify marks it as a test, or the shopper chose the
 * method for tests. Shopify itself marks no order with a manual method as a test. Where a name changed its use, its present use
 * counts: an owner may sell under the name that was used for tests. An order that shows both methods is no test.
 */
export function isTestOrder({ test, transactions }: AdminOrder, settings: OrderSettings): boolean {
  if (settings.isDevelopment || test) return true;
  const { gatewayName, formerGateways, testGatewayName, formerTestGateways } = settings;
  const testNames = [testGatewayName, ...formerTestGateways.filter((name) => !isOneOf(name, [gatewayName]))];
  const saleNames = [gatewayName, ...formerGateways.filter((name) => !isOneOf(name, [testGatewayName]))];
  const isUnder = (names: readonly (string | null)[]) => transactions.some((one) => hasGatewayName(one, names));
  return isUnder(testNames) && !isUnder(saleNames);
}

/** The sale of one of our payment methods that waits for a capture. */
export function pendingSale(
  { transactions }: AdminOrder,
  { gatewayName, testGatewayName }: GatewayNames,
): OrderTransaction | null {
  const isPending = ({ kind, status, manualPaymentGateway }: OrderTransaction) =>
    kind === "SALE" && status === "PENDING" && manualPaymentGateway;
  return transactions.find((one) => isPending(one) && hasGatewayName(one, [gatewayName, testGatewayName])) ?? null;
}

/** The name under which the order shows our payment method. */
export function gatewayOf({ transactions }: AdminOrder, { gatewayName, testGatewayName }: GatewayNames): string | null {
  return transactions.find((one) => hasGatewayName(one, [gatewayName, testGatewayName]))?.gateway ?? gatewayName;
}

/** A payment that was recorded under a present or former name of our payment methods. */
export function recordedSale({ transactions }: AdminOrder, gateways: GatewayNames): OrderTransaction | null {
  return transactions.find((one) => isRecordedPayment(one) && isByOurGateway(one, gateways)) ?? null;
}

/**
 * What Shopify can still record as refunded under our payment method, in minor units. It decides nothing about money: more may have arrived than
 * the order shows.
 */
export function recordableMinor({ transactions }: AdminOrder, gateways: GatewayNames): number {
  let recordable = 0;
  for (const transaction of transactions) {
    if (transaction.status !== "SUCCESS" || !isByOurGateway(transaction, gateways)) continue;
    const { minor } = amountOf(transaction.amountSet);
    if (isRecordedPayment(transaction)) recordable += minor;
    if (transaction.kind === "REFUND") recordable -= minor;
  }
  return recordable;
}

export function isRecordedPayment({ kind, status }: OrderTransaction): boolean {
  return (kind === "SALE" || kind === "CAPTURE") && status === "SUCCESS";
}

/** Whether a transaction has the present or a former name of one of our payment methods. */
export function isByOurGateway(transaction: Pick<OrderTransaction, "gateway">, gateways: GatewayNames): boolean {
  const { gatewayName, formerGateways, testGatewayName, formerTestGateways } = gateways;
  return hasGatewayName(transaction, [gatewayName, ...formerGateways, testGatewayName, ...formerTestGateways]);
}

function hasGatewayName({ gateway }: Pick<OrderTransaction, "gateway">, names: readonly (string | null)[]): boolean {
  return isOneOf(gateway ?? "", names);
}

function isOneOf(gateway: string, names: readonly (string | null)[]): boolean {
  return names.some((name) => name !== null && isSameGateway(gateway, name));
}

/** The names of transactions that were recorded without a payment method. */
const UNNAMED_GATEWAYS: ReadonlySet<string> = new Set(["", "manual", "other"]);

export function isUnnamedGateway({ gateway }: OrderTransaction): boolean {
  return UNNAMED_GATEWAYS.has(normalizeGateway(gateway ?? ""));
}

/** The amount in the currency that the shopper saw. A negative amount counts as zero. */
export function amountOf({ presentmentMoney: { amount, currencyCode } }: OrderTransaction["amountSet"]): Money {
  return parseMoney(amount.startsWith("-") ? "0" : amount, currencyCode);
}
