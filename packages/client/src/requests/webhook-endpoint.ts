import type { EventName } from "../api/event-names.ts";
import type { Metadata } from "./common.ts";

/** Body of POST /webhooks (API.md#webhook-endpoints). */
export type WebhookEndpointRequest = {
  /** Absolute URL that the service can reach, without user and password. */
  url: string;
  /** At least one event. `CHECKOUT_EVENTS` of `@tillkit/client/webhooks` lists the events of a checkout. */
  authorized_events: EventName[];
  description?: string | undefined;
  metadata?: Metadata | undefined;
};

/** Body of PATCH /webhooks/{id}: the fields that change. */
export type WebhookEndpointUpdate = {
  url?: string | undefined;
  /** False: no event is sent to this endpoint. */
  is_active?: boolean | undefined;
  /** Replaces the whole list. */
  authorized_events?: EventName[] | undefined;
  metadata?: Metadata | undefined;
  /** True: the response holds a new `secret`, once. Both secrets sign deliveries until the old secret expires. */
  rotate_secret?: boolean | undefined;
};

/** Filters of GET /webhooks/{id}/logs. */
export type DeliveryLogQuery = {
  /** At most 100; the service's default is 25. */
  readonly limit?: number;
  readonly offset?: number;
  /** True: only delivered attempts; false: only failed attempts. */
  readonly success?: boolean;
  /** True: only failed attempts; false: only delivered attempts. */
  readonly failed?: boolean;
};
