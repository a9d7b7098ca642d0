import { parseEvent } from "@tillkit/client/webhooks";
import type { Engine } from "../engine.ts";
import { matchInLedger } from "./match-event.ts";
import type { IncomingWebhook } from "./receive-webhook.ts";

/**
 * Whether a delivery that was refused for its signature names a payment of its endpoint. Then the service has probably sent it, and signs
 * with a secret that is not configured here: a stranger, who can post anything, knows no session, reference or transaction of ours.
 * Reads the ledger alone.
 */
export async function namesOurPayment(
  engine: Engine,
  { endpointId, bytes }: Pick<IncomingWebhook, "endpointId" | "bytes">,
): Promise<boolean> {
  const event = parseEvent(bytes);
  const endpoint = event && (await engine.tenants.endpoint(endpointId));
  return endpoint ? (await matchInLedger(engine, endpoint, event))?.kind === "ours" : false;
}
