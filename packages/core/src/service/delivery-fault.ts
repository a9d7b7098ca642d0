import type { DeliveryAttempt } from "../ports/endpoint-reading.ts";

/**
 * Why an attempt to deliver a webhook failed. `signature`: the receiver refused its signature, so the two have different secrets, or the
 * body or the header was changed on the way. `refused`, `moved` and `failed`: another 4xx, a redirect or a 5xx. `unreachable`: no answer.
 */
export type DeliveryFault = "signature" | "refused" | "moved" | "failed" | "unreachable";

export function deliveryFaultOf({ httpStatus, error }: Pick<DeliveryAttempt, "httpStatus" | "error">): DeliveryFault {
  if (error !== undefined || httpStatus === undefined) return "unreachable";
  if (httpStatus === 401) return "signature";
  if (httpStatus >= 500) return "failed";
  return httpStatus >= 400 ? "refused" : "moved";
}
