/** The bytes of one signed webhook, kept before it was answered. `digest` is the SHA-256 of the bytes in hex. */
export type Delivery = {
  readonly endpointId: string;
  readonly digest: string;
  readonly bytes: Uint8Array;
  readonly receivedAt: number;
};

/**
 * What came of a delivery. `heard`: a payment of ours was looked at. `orphan`: it is about a payment of ours that is not in
 * this ledger, and nobody could be told. `foreign`: another channel on the same key. `unreadable`: signed, but no event.
 * `endpoint_removed`: its endpoint is no longer configured.
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
