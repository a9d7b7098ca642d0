import type { ServiceEvent } from "@tillkit/client/webhooks";
import type { DeliveredEvent, DeliveredTransaction } from "../domain/delivery.ts";
import { safeText } from "../domain/safe-text.ts";

const MAX_NAME_LENGTH = 60;

/** What operators see of an event. Texts that do not look like an id or a name of the service are left out. */
export function deliveredEvent(event: ServiceEvent): DeliveredEvent {
  const { timestamp } = event;
  return {
    name: safeText(String(event.event)).slice(0, MAX_NAME_LENGTH),
    at: timestamp !== undefined && Number.isSafeInteger(timestamp) ? timestamp : null,
    transaction: "transaction" in event && event.transaction ? deliveredTransaction(event.transaction) : null,
  };
}

function deliveredTransaction({
  publicId,
  providerCode,
  customerId,
  feeAmount,
  netAmount,
}: NonNullable<Extract<ServiceEvent, { transaction?: unknown }>["transaction"]>): DeliveredTransaction {
  return {
    code: matching(publicId, /^txn_\w{1,60}$/),
    method: matching(providerCode, /^[A-Z][A-Z_]{0,19}$/),
    customerId: matching(customerId, /^[\w-]{1,64}$/),
    wireFee: wholeNumber(feeAmount),
    wireNet: wholeNumber(netAmount),
  };
}

function matching(text: string | undefined, pattern: RegExp): string | null {
  return text !== undefined && pattern.test(text) ? text : null;
}

function wholeNumber(value: number | undefined): number | null {
  return value !== undefined && Number.isSafeInteger(value) ? value : null;
}
