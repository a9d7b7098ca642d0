/** The bytes of one signed webhook, kept before it was answered. `digest` is the SHA-256 of the bytes in hex. */
export type Delivery = {
  readonly endpointId: string;
  readonly digest: string;
  readonly bytes: Uint8Array;
  readonly receivedAt: number;
};
