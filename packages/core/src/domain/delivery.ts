import { hash } from "node:crypto";

/** The bytes of one signed webhook, stored before it is answered. `digest` is the SHA-256 of the bytes in hex. */
export type Delivery = {
  readonly endpointId: string;
  readonly digest: string;
  readonly bytes: Uint8Array;
  readonly receivedAt: number;
};

export function digestOf(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

/**
 * The outcome of a delivery. `processed`: the event was applied to a payment. `orphan`: the event is about one of our payments
 * that is missing from this ledger and could not be recovered. `unrelated`: the event belongs to another integration that uses
 * the same API key. `unreadable`: the signature is valid, but the body is not an event. `endpoint_removed`: the endpoint is no
 * longer configured.
 */
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

export const DELIVERY_OUTCOMES = ["processed", "orphan", "unrelated", "unreadable", "endpoint_removed"] as const;

export type ProcessedDelivery = {
  readonly endpointId: string;
  readonly digest: string;
  readonly outcome: DeliveryOutcome;
  readonly paymentId: string | null;
  readonly processedAt: number;
  /** What the body reports; absent for a body that is not an event. */
  readonly event?: DeliveredEvent;
  /**
   * The transaction that an unrelated event of a refund or a dispute named, and that nothing ties to a payment yet. The event is
   * processed again once the transaction certainly paid one of our payments.
   */
  readonly transactionId?: string;
  /** How many times the delivery was tried until it was processed. */
  readonly attempts?: number;
};

/** What operators see of an event, and search payments by. No decision about a payment uses these values. */
export type DeliveredEvent = {
  /** Such as `PAYMENT_SUCCEEDED`. */
  readonly name: string;
  /** When the service made the event, in milliseconds since 1970; null where the event does not say. */
  readonly at: number | null;
  /** The transaction of a PAYMENT_* event. */
  readonly transaction: DeliveredTransaction | null;
};

/** Each value is null where the event does not name it. Amounts are in the service's unit. */
export type DeliveredTransaction = {
  /** `txn_…`: the short id that the service's pages and customers use. */
  readonly code: string | null;
  /** How the shopper paid, in the service's word: `CARD`, `WAVE`, `MTN`. */
  readonly method: string | null;
  /** The service's id of the customer. */
  readonly customerId: string | null;
  readonly wireFee: number | null;
  readonly wireNet: number | null;
};
