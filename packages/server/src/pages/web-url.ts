import { addressFault } from "@tillkit/client";

/** The address in its normal form when a browser may be sent to it; else null. */
export function webUrl(text: string | null): string | null {
  return text === null || addressFault(text, "link") !== null ? null : new URL(text).href;
}
