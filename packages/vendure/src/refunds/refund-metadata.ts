import type { Refund } from "@tillkit/core";
import type { Refund as VendureRefund } from "@vendure/core";

/** The key in the metadata of a Vendure refund under which our own refund key is stored. */
export const REFUND_KEY = "tillkitRefundKey";

/**
 * The key under which the time of our answer to the request is stored, in milliseconds since 1970. Vendure's own `createdAt` is the
 * time at which the request's transaction began. Null: Vendure never got our answer, and nobody has read that the refund was made.
 */
const ANSWERED_AT = "tillkitAnsweredAt";

type StoredMetadata = Pick<VendureRefund, "metadata">;

/** The metadata of a refund that is answered now. */
export function answeredMetadata({ key }: Pick<Refund, "key">): Record<string, unknown> {
  return { [REFUND_KEY]: key, [ANSWERED_AT]: Date.now() };
}

/** The metadata of a refund that Vendure requested and whose answer Vendure never got. */
export function unansweredMetadata({ key }: Pick<Refund, "key">): Record<string, unknown> {
  return { [REFUND_KEY]: key, [ANSWERED_AT]: null };
}

export function refundKeyOf({ metadata }: StoredMetadata): string | null {
  const key = metadata?.[REFUND_KEY];
  return typeof key === "string" ? key : null;
}

/** When the request of a refund was answered; null if nobody got the answer. */
export function answeredAtOf({ metadata, createdAt }: Pick<VendureRefund, "metadata" | "createdAt">): number | null {
  const answeredAt = metadata?.[ANSWERED_AT];
  if (answeredAt === null) return null;
  // A refund that was made at the service, or by an older version of the plugin, has no time of its own.
  return typeof answeredAt === "number" ? answeredAt : createdAt.getTime();
}
