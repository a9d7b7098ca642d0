import { EVENT_NAMES, type EventName } from "../api/event-names.ts";
import { parseDispute, type ServiceDispute } from "../models/dispute.ts";
import {
  enumField,
  isJsonObject,
  type JsonObject,
  type OpenEnum,
  objectField,
  stringField,
  timeField,
  type UnknownValue,
} from "../models/json-fields.ts";
import { parseRefund, type ServiceRefund } from "../models/refund.ts";
import { parseSubscription, type Subscription } from "../models/subscription.ts";
import { parseTransaction, type Transaction } from "../models/transaction.ts";

/** What every event holds. Fields missing from the body are undefined. */
export type EventFields = {
  /** The id may differ between the attempts of one delivery (API.md#delivery). */
  readonly id?: string | undefined;
  /** Milliseconds since 1970. */
  readonly timestamp?: number | undefined;
  /** The resource as the service sent it, from `data` or `data.object`. */
  readonly data: JsonObject;
  readonly sessionId?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly refundId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  readonly disputeId?: string | undefined;
  /** The status of the resource. */
  readonly status?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  /** Read from the resource and not from `service_environment`, which names a deployment of the service. */
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  /** The Member Account that an Operator acted for (API.md#network). */
  readonly account?: string | undefined;
};

export type PaymentEventName = Extract<EventName, `PAYMENT_${string}`>;
export type RefundEventName = Extract<EventName, `REFUND_${string}`>;
export type SubscriptionEventName = Extract<EventName, `SUBSCRIPTION_${string}`>;
export type DisputeEventName = Extract<EventName, `DISPUTE_${string}`>;

export type PaymentEvent = EventFields & { readonly event: PaymentEventName; readonly transaction?: Transaction };
export type RefundEvent = EventFields & { readonly event: RefundEventName; readonly refund?: ServiceRefund };
export type DisputeEvent = EventFields & { readonly event: DisputeEventName; readonly dispute?: ServiceDispute };
export type SubscriptionEvent = EventFields & {
  readonly event: Exclude<SubscriptionEventName, "SUBSCRIPTION_UPDATED">;
  readonly subscription?: Subscription;
};

export type SubscriptionUpdatedEvent = EventFields & {
  readonly event: "SUBSCRIPTION_UPDATED";
  readonly subscription?: Subscription;
  /** The changed attributes with their earlier values, under their names on the wire: `{ status: "active" }`. */
  readonly previousAttributes: JsonObject;
  /** Who changed the subscription, for debugging. Undefined when the service does not say. */
  readonly context?: {
    readonly source?: OpenEnum<SubscriptionSource> | undefined;
    readonly actor?: string | undefined;
  };
};

export type SubscriptionSource = "merchant_api" | "customer_portal" | "cron";

/** The event that `webhooks.test` sends. It belongs to no payment. */
export type TestEvent = EventFields & { readonly event: "test.webhook" };

/** An event that this version does not know. */
export type UnknownEvent = EventFields & { readonly event: UnknownValue };

/**
 * A webhook event (API.md#events); `event` tells which resource it holds. The resource is undefined when the body lacks its ID. An
 * event is a hint: retrieve the resource before acting on it.
 */
export type ServiceEvent =
  | PaymentEvent
  | RefundEvent
  | SubscriptionEvent
  | SubscriptionUpdatedEvent
  | DisputeEvent
  | TestEvent
  | UnknownEvent;

/**
 * Parses the body of a webhook, whose signature must be verified first, or the payload of a delivery log, which the service's API
 * returned. Null when the body is not an event. Never throws.
 */
export function parseEvent(body: Uint8Array | JsonObject): ServiceEvent | null {
  const envelope = isBytes(body) ? parseJson(body) : body;
  if (!isJsonObject(envelope)) return null;
  const event = enumField<EventName>(envelope, "event", "type");
  if (event === undefined) return null;
  const eventData = objectField(envelope, "data") ?? {};
  const data = objectField(eventData, "object") ?? eventData;
  return withResource(event, parseFields(envelope, eventData, data), eventData);
}

function parseFields(envelope: JsonObject, eventData: JsonObject, data: JsonObject): EventFields {
  const metadata = objectField(data, "metadata");
  const network = objectField(data, "network") ?? objectField(eventData, "network") ?? objectField(envelope, "network");
  return {
    id: stringField(envelope, "id"),
    timestamp: timeField(envelope, "timestamp") ?? timeField(envelope, "created"),
    data,
    sessionId: stringField(data, "checkout_session_id") ?? (metadata && stringField(metadata, "checkout_session_id")),
    transactionId: stringField(data, "transaction_id"),
    refundId: stringField(data, "refund_id"),
    subscriptionId: stringField(data, "subscription_id"),
    disputeId: stringField(data, "dispute_id"),
    status: stringField(data, "status"),
    metadata,
    environment: enumField(data, "environment"),
    account: network && stringField(network, "account"),
  };
}

// Changes `fields`, which no other code has yet: two spreads into a new object cost ten times as much.
function withResource(event: OpenEnum<EventName>, fields: EventFields, eventData: JsonObject): ServiceEvent {
  const { data } = fields;
  if (isNameOf(event, "PAYMENT_"))
    return Object.assign(fields, { event }, resourceField("transaction", parseTransaction(data)));
  if (isNameOf(event, "REFUND_")) return Object.assign(fields, { event }, resourceField("refund", parseRefund(data)));
  if (isNameOf(event, "DISPUTE_"))
    return Object.assign(fields, { event }, resourceField("dispute", parseDispute(data)));
  if (event === "SUBSCRIPTION_UPDATED") {
    const context = objectField(eventData, "context");
    return Object.assign(fields, { event }, resourceField("subscription", parseSubscription(data)), {
      previousAttributes: objectField(eventData, "previous_attributes") ?? {},
      ...(context && {
        context: { source: enumField<SubscriptionSource>(context, "source"), actor: stringField(context, "actor") },
      }),
    });
  }
  if (isNameOf(event, "SUBSCRIPTION_"))
    return Object.assign(
      fields,
      { event },
      resourceField("subscription", parseSubscription(data)),
    ) as SubscriptionEvent;
  return Object.assign(fields, event === "test.webhook" ? { event } : { event: event as UnknownValue });
}

const KNOWN_EVENTS: ReadonlySet<unknown> = new Set(EVENT_NAMES);

function isNameOf<Prefix extends string>(
  event: OpenEnum<EventName>,
  prefix: Prefix,
): event is Extract<EventName, `${Prefix}${string}`> {
  return event.startsWith(prefix) && KNOWN_EVENTS.has(event);
}

/** `{ name: resource }`, or nothing when there is no resource. */
function resourceField<Name extends string, Resource>(
  name: Name,
  resource: Resource | null,
): { [Key in Name]?: Resource } {
  return resource === null ? {} : ({ [name]: resource } as { [Key in Name]?: Resource });
}

// The bytes may come from another realm, such as an edge function's, where they are no instance of this realm's Uint8Array.
function isBytes(body: Uint8Array | JsonObject): body is Uint8Array {
  return ArrayBuffer.isView(body);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}
