/** The bytes of one signed webhook, stored before it is answered. `digest` is the SHA-256 of the bytes in hex. */
export type Delivery = {
  readonly endpointId: string;
  readonly digest: string;
  readonly bytes: Uint8Array;
  readonly receivedAt: number;
};

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
};
