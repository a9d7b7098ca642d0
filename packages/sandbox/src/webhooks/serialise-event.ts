import type { EventName } from "@tillkit/client/webhooks";
import { changedSubscriptionFields, contextFields, eventFields, testFields } from "./event-fields.ts";

type Values = Record<string, unknown>;

/** The values of an event. `serialiseEvent` defines the order of the fields. */
export type EventValues = {
  id: string;
  event: Exclude<EventName, "test.webhook">;
  timestamp: string;
  data: Values;
  serviceEnvironment: string;
  /** Set only in events to the Operator that acted for the merchant. */
  network?: Values | undefined;
};

/** The body of a delivery. The service's API defines names and order of the fields. */
export function serialiseEvent({ id, event, timestamp, data, serviceEnvironment, network }: EventValues): string {
  const fields = event === "SUBSCRIPTION_UPDATED" ? changedSubscription(data) : pickInOrder(data, eventFields[event]);
  return JSON.stringify({
    id,
    event,
    timestamp,
    data: network === undefined ? fields : { ...fields, network },
    service_environment: serviceEnvironment,
  });
}

/** The envelope of `test.webhook` repeats `event` as `type` and `timestamp` as `created`. */
export function serialiseTestEvent(
  values: Omit<EventValues, "event"> & { webhookId: string; livemode: boolean },
): string {
  const { id, timestamp, data, webhookId, livemode, serviceEnvironment } = values;
  return JSON.stringify({
    id,
    event: "test.webhook",
    type: "test.webhook",
    timestamp,
    created: timestamp,
    data: { object: pickInOrder(data, testFields) },
    livemode,
    webhook_id: webhookId,
    service_environment: serviceEnvironment,
  });
}

/** The `data` of SUBSCRIPTION_UPDATED: the object, its previous attributes and the source of the change. */
function changedSubscription({ object, previous_attributes, context }: Values): Values {
  return {
    object: pickInOrder(object as Values, changedSubscriptionFields),
    previous_attributes: pickInOrder(previous_attributes as Values, changedSubscriptionFields),
    context: pickInOrder(context as Values, contextFields),
  };
}

/** Picks exactly these fields. Internal fields are dropped, and fields that the setting `thinEvents` removed stay missing. */
function pickInOrder(values: Values, fields: readonly string[]): Values {
  return Object.fromEntries(fields.filter((field) => field in values).map((field) => [field, values[field]]));
}
