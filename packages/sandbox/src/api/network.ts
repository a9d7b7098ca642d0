import type { Endpoint } from "@tillkit/client/endpoints";
import { Refusal } from "../service/refusal.ts";
import type { Caller } from "./authenticate.ts";

/**
 * `Service-Account` is refused rather than ignored: silently working for another organization would be worse. No merchant
 * of this sandbox is an Operator.
 * @throws Refusal `bad_request`, `forbidden`
 */
export function refuseNetwork(account: string | undefined, endpoint: Endpoint, caller: Caller): void {
  if (account === undefined) return;
  if (endpoint.capabilities === null) {
    throw new Refusal("bad_request", "Service-Account is not supported on this endpoint");
  }
  if (caller.kind !== "secret") throw new Refusal("forbidden", "Network requests require a secret API key");
  throw new Refusal("forbidden", "operator_not_active");
}
