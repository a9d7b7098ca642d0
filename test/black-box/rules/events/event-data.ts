import type { Delivery } from "../../receiver.ts";

/** The `data` of the first delivered event. */
export function dataOf(deliveries: readonly (Delivery | undefined)[]): Record<string, unknown> {
  const data: unknown = deliveries[0]?.body.data;
  return Object(data);
}
