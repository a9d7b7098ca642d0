import type { DeliveryLog, RefundRow, ServiceDispute, Transaction } from "@tillkit/client";
import { type AmountUnit, fromWire, type Money } from "@tillkit/core";
import { PAID_STATUSES } from "@tillkit/core/ledger";
import type { DisputeFact, PaymentFact, PayoutFact, RefundFact } from "../../facts/facts.ts";
import { ORDER_FIELDS, SITE_FIELDS, siteOf } from "../identifiers.ts";

export type ParseOptions = {
  readonly unit: AmountUnit;
  readonly environment: "test" | "live";
  /** Further names of metadata fields that hold an order's id or number. */
  readonly orderFields: readonly string[];
  readonly hashCustomer: (text: unknown) => string | null;
};

type Fields = Readonly<Record<string, unknown>>;

/** A transaction that brought money, or a payout; null for everything that moved nothing. */
export function parseMovement(row: Transaction, raw: Fields, options: ParseOptions): PaymentFact | PayoutFact | null {
  const { id, grossAmount, currencyCode, createdAt } = row;
  const amount = moneyOf(grossAmount, currencyCode, options);
  if (id === undefined || amount === null || createdAt === undefined || !hasArrived(row)) return null;
  if (row.type === "payout") return { kind: "payout", id, amount, at: createdAt };
  if (row.type === "refund") return null;
  const metadata = row.metadata ?? {};
  return {
    kind: "payment",
    id,
    code: row.publicId ?? null,
    session: row.sessionId ?? null,
    amount,
    fee: minorOf(row.feeAmount, currencyCode, options),
    net: minorOf(row.netAmount, currencyCode, options),
    discount: minorOf(numberOf(raw.discount_amount), currencyCode, options) ?? 0,
    at: createdAt,
    environment: row.environment === "test" || row.environment === "live" ? row.environment : options.environment,
    names: orderNames(metadata, options.orderFields),
    reference: referenceOf(metadata),
    site: SITE_FIELDS.map((name) => siteOf(metadata[name])).find((site) => site !== null) ?? null,
    channel: channelOf(raw),
    customer: options.hashCustomer(raw.customer_email ?? metadata.customer_email ?? metadata.email),
  };
}

/**
 * Wider than the plug-ins, which count the known statuses only: an unknown status with a refund has had something to give back, and money that an
 * order does not show is what an audit looks for.
 */
function hasArrived({ status, refundedAmount = 0 }: Transaction): boolean {
  return PAID_STATUSES.has(String(status)) || refundedAmount > 0;
}

/** What the metadata calls the order, in lower case and without a leading `#`. */
export function orderNames(metadata: Fields, more: readonly string[]): readonly string[] {
  const names = [...ORDER_FIELDS, ...more].flatMap((field) => {
    const value = metadata[field];
    if (typeof value !== "string" && typeof value !== "number") return [];
    const text = String(value).trim().toLowerCase();
    return text === "" || text.length > 100 ? [] : [text.replace(/^#/, "")];
  });
  return [...new Set([...names, ...signedNames(metadata)])];
}

/** The order in the facts that Tillkit signs into its sessions: `[storeId, orderId, attempt, …]`. */
function signedNames({ tillkit_order: signed }: Fields): readonly string[] {
  if (typeof signed !== "string") return [];
  try {
    const [, orderId, attempt]: unknown[] = JSON.parse(Buffer.from(signed.split(".")[0] ?? "", "base64url").toString());
    return [orderId, attempt]
      .filter((name) => typeof name === "string" && name !== "")
      .map((name) => String(name).toLowerCase());
  } catch {
    return [];
  }
}

export function referenceOf(metadata: Fields): string | null {
  const reference = metadata.tillkit_reference;
  return typeof reference === "string" ? reference.split(".").slice(0, -1).join(".") || null : null;
}

function channelOf(raw: Fields): string | null {
  if (raw.is_pos === true) return "pos";
  if (raw.subscription_id) return "subscription";
  if (raw.payment_link_id) return "payment_link";
  return raw.invoice_id || raw.payment_request_id ? "invoice" : null;
}

/** Null for a refund that failed, or of which nothing can be told. `amount` needs the transaction's currency where the row has none. */
export function parseRefund(
  row: RefundRow,
  currencyOf: (transaction: string) => string | null,
  options: ParseOptions,
): RefundFact | null {
  const { transactionId, createdAt, status } = row;
  if (transactionId === undefined || createdAt === undefined || status === "failed") return null;
  const currency = row.currencyCode ?? currencyOf(transactionId) ?? undefined;
  const amount = moneyOf(row.amount ?? row.refundedAmount, currency, options);
  if (amount === null) return null;
  const id = row.id ?? `${transactionId} ${createdAt} ${amount.minor}`;
  return {
    kind: "refund",
    id,
    payment: transactionId,
    amount,
    at: createdAt,
    status: status === "completed" ? "completed" : "pending",
  };
}

export function parseDispute(dispute: ServiceDispute, log: DeliveryLog, options: ParseOptions): DisputeFact | null {
  const { id, transactionId, amount, currencyCode, status, outcome } = dispute;
  if (transactionId === undefined) return null;
  const isClosed = status === "resolved" || status === "closed";
  return {
    kind: "dispute",
    id,
    payment: transactionId,
    amount: moneyOf(amount, currencyCode, options),
    at: dispute.createdAt ?? log.createdAt ?? 0,
    status: isClosed ? (outcome === "won" ? "won" : "lost") : "open",
  };
}

function moneyOf(wire: number | undefined, currency: string | undefined, { unit }: ParseOptions): Money | null {
  return wire === undefined || currency === undefined ? null : fromWire(wire, currency.toUpperCase(), unit);
}

function minorOf(wire: number | undefined, currency: string | undefined, options: ParseOptions): number | null {
  return moneyOf(wire, currency, options)?.minor ?? null;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
