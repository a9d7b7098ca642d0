import { instant, isRow, type Known, type Row, row, text } from "./fields.ts";

/** The service's API, "Events". `test.webhook` is sent by the test route only. */
export const EVENT_NAMES = [
  "PAYMENT_CREATED",
  "PAYMENT_SUCCEEDED",
  "PAYMENT_FAILED",
  "SUBSCRIPTION_CREATED",
  "SUBSCRIPTION_UPDATED",
  "SUBSCRIPTION_RENEWED",
  "SUBSCRIPTION_CANCELLED",
  "REFUND_CREATED",
  "REFUND_COMPLETED",
  "REFUND_FAILED",
  "DISPUTE_CREATED",
  "DISPUTE_UPDATED",
  "DISPUTE_CLOSED",
  "test.webhook",
] as const;

export type EventName = (typeof EVENT_NAMES)[number];

/** What a shop wants to hear of: payments, refunds and disputes. Register a webhook for these. */
export const CHECKOUT_EVENTS = [
  "PAYMENT_CREATED",
  "PAYMENT_SUCCEEDED",
  "PAYMENT_FAILED",
  "REFUND_COMPLETED",
  "REFUND_FAILED",
  "DISPUTE_CREATED",
  "DISPUTE_UPDATED",
  "DISPUTE_CLOSED",
] as const satisfies readonly EventName[];

/**
 * What a webhook body announces. It is a hint, never the truth: fetch the resource before acting on it. Undefined = the
 * body did not say. An event's id may change between the attempts of one delivery.
 */
export type ServiceEvent = {
  readonly id?: string | undefined;
  readonly event: Known<EventName>;
  /** Milliseconds since 1970. */
  readonly timestamp?: number | undefined;
  /** The resource, whether it came bare or under `data.object`. */
  readonly data: Row;
  readonly sessionId?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly refundId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  readonly disputeId?: string | undefined;
  readonly status?: string | undefined;
  readonly metadata?: Row | undefined;
  /** Test or live, as the resource says; `service_environment` names a deployment and is not this. */
  readonly environment?: Known<"test" | "live"> | undefined;
  /** The Member Account of delegated activity. */
  readonly account?: string | undefined;
};

/** Reads the bytes of a webhook whose signature was verified. Null when they are no event; never throws. */
export function readEvent(bytes: Uint8Array): ServiceEvent | null {
  const envelope = parseJson(bytes);
  if (!isRow(envelope)) return null;
  const event = text(envelope, "event", "type");
  if (event === undefined) return null;
  const outer = row(envelope, "data") ?? {};
  const data = row(outer, "object") ?? outer;
  const metadata = row(data, "metadata");
  const network = row(data, "network") ?? row(outer, "network") ?? row(envelope, "network");
  return {
    id: text(envelope, "id"),
    event,
    timestamp: instant(envelope, "timestamp") ?? instant(envelope, "created"),
    data,
    sessionId: text(data, "checkout_session_id") ?? (metadata && text(metadata, "checkout_session_id")),
    transactionId: text(data, "transaction_id"),
    refundId: text(data, "refund_id"),
    subscriptionId: text(data, "subscription_id"),
    disputeId: text(data, "dispute_id"),
    status: text(data, "status"),
    metadata,
    environment: text(data, "environment"),
    account: network && text(network, "account"),
  };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
