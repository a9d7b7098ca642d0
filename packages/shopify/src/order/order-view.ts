import { type Money, type Order, type OrderRef, parseMoney } from "@tillkit/core";
import type { AdminOrder, OrderTransaction } from "../graphql/admin-operations.ts";
import type { Gateways } from "../shop/shops.ts";

/** Numbers, as Shopify writes them in webhooks and addresses. */
export function isOrderNumber(text: string): boolean {
  return /^[1-9]\d{0,19}$/.test(text);
}

export function orderGid(orderId: string): string {
  return `gid://shopify/Order/${orderId}`;
}

export function orderNumber(gid: string): string {
  return gid.slice(gid.lastIndexOf("/") + 1);
}

/**
 * What an order says, as the engine understands it. While it is unpaid its total is what is outstanding, in the currency the
 * buyer was shown. @throws CheckoutError `amount_invalid`, `currency_not_supported`
 */
export function orderOf(found: AdminOrder, ref: OrderRef, gateways: Gateways): Order {
  const outstanding = outstandingOf(found);
  const { paidBy, setPaid } = paidByOf(found, gateways, outstanding);
  const isOpen = (found.cancelledAt ?? null) === null && outstanding.minor > 0;
  return {
    ref,
    attempt: "",
    total: paidBy === null ? outstanding : moneyOf(found.totalReceivedSet),
    title: found.name,
    environment: found.test ? "test" : "live",
    language: (found.customerLocale ?? "").toLowerCase().startsWith("en") ? "en" : "fr",
    payable: paidBy === null && isOpen && isOurs(found, gateways.gatewayName),
    paidBy,
    ...(setPaid ? { setPaid } : {}),
  };
}

/** What is still to be paid; nothing where more was paid than is owed. */
export function outstandingOf({ totalOutstandingSet }: AdminOrder): Money {
  const { amount, currencyCode } = totalOutstandingSet.presentmentMoney;
  return parseMoney(amount.startsWith("-") ? "0" : amount, currencyCode);
}

/** The buyer chose the manual payment method that this shop named. Cash on delivery is manual, too. */
export function isOurs({ transactions }: AdminOrder, gatewayName: string | null): boolean {
  return transactions.some((transaction) => isBy(transaction, gatewayName));
}

/** The payment that waits to be captured. */
export function waitingSale({ transactions }: AdminOrder, gatewayName: string | null): OrderTransaction | null {
  const waits = (one: OrderTransaction) => one.kind === "SALE" && one.status === "PENDING" && one.manualPaymentGateway;
  return transactions.find((one) => waits(one) && isBy(one, gatewayName)) ?? null;
}

/** Money that was booked on the order under this shop's payment method, however it was called then. */
export function bookedSale({ transactions }: AdminOrder, gateways: Gateways): OrderTransaction | null {
  return transactions.find((one) => isBooked(one) && wasBy(one, gateways)) ?? null;
}

/** What of the money under this shop's payment method the order does not show as refunded yet, in minor units. */
export function refundableOf({ transactions }: AdminOrder, gateways: Gateways): number {
  const own = transactions.filter((one) => one.status === "SUCCESS" && wasBy(one, gateways));
  const minorOf = ({ amountSet }: OrderTransaction) => moneyOf(amountSet).minor;
  const signed = own.map((one) => (isBooked(one) ? minorOf(one) : one.kind === "REFUND" ? -minorOf(one) : 0));
  return signed.reduce((sum, minor) => sum + minor, 0);
}

function isBooked({ kind, status }: OrderTransaction): boolean {
  return (kind === "SALE" || kind === "CAPTURE") && status === "SUCCESS";
}

/**
 * By what an order is paid. Our payment's id is written on the order before anything is booked: only both together are a proof.
 *
 * Money under our payment method without that id was not booked by us. "Mark as paid" in the shop's admin books it so, under the
 * method of the sale that waits: where that is all the money that the order shows, the owner set it to paid. Money under another
 * method's name paid the order otherwise. Shopify cannot tell by what an order is paid that shows both, or an unnamed method.
 */
function paidByOf(found: AdminOrder, gateways: Gateways, outstanding: Money): Pick<Order, "paidBy" | "setPaid"> {
  const booked = found.transactions.filter(isBooked);
  const byHand = booked.filter((one) => wasBy(one, gateways));
  const paidBy = withoutProof(found, { booked, byHand, outstanding });
  if (found.proof && (byHand.length > 0 || paidBy === "unclear")) return { paidBy: found.proof.value };
  return paidBy === "owner" ? { paidBy, ...setPaidAt(byHand.at(-1)?.createdAt) } : { paidBy };
}

type Booked = {
  readonly booked: readonly OrderTransaction[];
  readonly byHand: readonly OrderTransaction[];
  readonly outstanding: Money;
};

function withoutProof(found: AdminOrder, { booked, byHand, outstanding }: Booked): Order["paidBy"] {
  if (outstanding.minor > 0 || moneyOf(found.totalReceivedSet).minor === 0) return byHand.length > 0 ? "unclear" : null;
  if (byHand.length > 0) return byHand.length === booked.length ? "owner" : "unclear";
  const isNamed = booked.length > 0 && booked.every(({ gateway }) => !UNNAMED.has(plain(gateway ?? "")));
  return isNamed ? "outside" : "unclear";
}

/** What Shopify calls money that was recorded without saying how it was paid. */
const UNNAMED: ReadonlySet<string> = new Set(["", "manual", "other"]);

// Shopify tells nobody but itself which member of the staff it was.
function setPaidAt(createdAt: string | null | undefined): Pick<Order, "setPaid"> {
  const at = Date.parse(createdAt ?? "");
  return Number.isNaN(at) ? {} : { setPaid: { by: "staff", at } };
}

/** By this shop's payment method, under the name it has or one that it had. */
export function wasBy(transaction: Pick<OrderTransaction, "gateway">, gateways: Gateways): boolean {
  return [gateways.gatewayName, ...gateways.formerGateways].some((name) => isBy(transaction, name));
}

/** Owners write the name of their method by hand: case and spaces around it make no other one of it. */
function isBy({ gateway }: Pick<OrderTransaction, "gateway">, gatewayName: string | null): boolean {
  return gatewayName !== null && plain(gateway ?? "") === plain(gatewayName);
}

function plain(text: string): string {
  return text.normalize("NFKC").trim().toLowerCase();
}

function moneyOf({ presentmentMoney: { amount, currencyCode } }: OrderTransaction["amountSet"]): Money {
  return parseMoney(amount.startsWith("-") ? "0" : amount, currencyCode);
}
