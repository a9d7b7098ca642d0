import type { ServiceEvent } from "@tillkit/client/webhooks";
import type { DeliveredEvent, DeliveredTransaction } from "../domain/delivery.ts";
import { safeText } from "../domain/safe-text.ts";

const MAX_NAME_LENGTH = 60;

/** What operators see of an event. A text that does not have the form of an id or a name of the service is left out. */
export function deliveredEvent(event: ServiceEvent): DeliveredEvent {
  const { timestamp } = event;
  return {
    name: safeText(String(event.event)).slice(0, MAX_NAME_LENGTH),
    at: timestamp !== undefined && Number.isSafeInteger(timestamp) ? timestamp : null,
    transaction: "transaction" in event && event.transaction ? deliveredTransaction(event.transaction) : null,
  };
}

type EventTransaction = NonNullable<Extract<ServiceEvent, { transaction?: unknown }>["transaction"]>;

function deliveredTransaction(transaction: EventTransaction): DeliveredTransaction {
  return {
    code: textOfForm(transaction.publicId, /^txn_\w{1,60}$/),
    method: textOfForm(transaction.providerCode, /^[A-Z][A-Z_]{0,19}$/),
    customerId: textOfForm(transaction.customerId, /^[\w-]{1,64}$/),
    wireFee: wholeNumber(transaction.feeAmount),
    wireNet: wholeNumber(transaction.netAmount),
  };
}

function textOfForm(text: string | undefined, pattern: RegExp): string | null {
  return text !== undefined && pattern.test(text) ? text : null;
}

function wholeNumber(value: number | undefined): number | null {
  return value !== undefined && Number.isSafeInteger(value) ? value : null;
}
