import type { EventName } from "../api/event-names.ts";
import {
  isJsonObject,
  type JsonObject,
  type OpenEnum,
  objectField,
  stringField,
  timeField,
} from "../models/json-fields.ts";

/**
 * A webhook event. It is a hint: retrieve the resource before acting on it. Fields missing from the body are undefined.
 * The `id` may differ between the attempts of one delivery (API.md#delivery).
 */
export type ServiceEvent = {
  readonly id?: string | undefined;
  readonly event: OpenEnum<EventName>;
  /** Milliseconds since 1970. */
  readonly timestamp?: number | undefined;
  /** The resource, from `data` or `data.object`. */
  readonly data: JsonObject;
  readonly sessionId?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly refundId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  readonly disputeId?: string | undefined;
  readonly status?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  /** From the resource. `service_environment` names a deployment of the service, not test or live. */
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  /** The Member Account of delegated activity. */
  readonly account?: string | undefined;
};

/** Parses the body of a webhook; verify its signature first. Null when the body is not an event. Never throws. */
export function parseEvent(bytes: Uint8Array): ServiceEvent | null {
  const envelope = parseJson(bytes);
  if (!isJsonObject(envelope)) return null;
  const event = stringField(envelope, "event", "type");
  if (event === undefined) return null;
  const outer = objectField(envelope, "data") ?? {};
  const data = objectField(outer, "object") ?? outer;
  const metadata = objectField(data, "metadata");
  const network = objectField(data, "network") ?? objectField(outer, "network") ?? objectField(envelope, "network");
  return {
    id: stringField(envelope, "id"),
    event,
    timestamp: timeField(envelope, "timestamp") ?? timeField(envelope, "created"),
    data,
    sessionId: stringField(data, "checkout_session_id") ?? (metadata && stringField(metadata, "checkout_session_id")),
    transactionId: stringField(data, "transaction_id"),
    refundId: stringField(data, "refund_id"),
    subscriptionId: stringField(data, "subscription_id"),
    disputeId: stringField(data, "dispute_id"),
    status: stringField(data, "status"),
    metadata,
    environment: stringField(data, "environment"),
    account: network && stringField(network, "account"),
  };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
