import type { EventName } from "@tillkit/client/webhooks";
import { changedSubscriptionFields, contextFields, eventFields, testFields } from "./event-fields.ts";

type Values = Record<string, unknown>;

/** The values of one event; the order of their fields does not matter, `serialiseEvent` knows it. */
export type EventValues = {
  id: string;
  event: Exclude<EventName, "test.webhook">;
  timestamp: string;
  data: Values;
  serviceEnvironment: string;
  /** Of delegated activity, when an Operator is told about it. */
  network?: Values | undefined;
};

/** The body of a delivery: the service's API pins names and order of the fields, so that the bytes are known. */
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

/** `test.webhook` has an envelope of its own, with both names of kind and time. */
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

/** The one event that says what it was before, and who changed it. */
function changedSubscription({ object, previous_attributes, context }: Values): Values {
  return {
    object: pickInOrder(object as Values, changedSubscriptionFields),
    previous_attributes: pickInOrder(previous_attributes as Values, changedSubscriptionFields),
    context: pickInOrder(context as Values, contextFields),
  };
}

/** Exactly these fields: what is internal never leaves, what is missing (a thin event) stays missing. */
function pickInOrder(values: Values, fields: readonly string[]): Values {
  return Object.fromEntries(fields.filter((field) => field in values).map((field) => [field, values[field]]));
}
