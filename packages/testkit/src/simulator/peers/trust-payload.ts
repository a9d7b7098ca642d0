import type { Engine } from "@tillkit/core";
import type { SimulatedTill } from "../till.ts";
import { handleInWebhook, markPaid } from "./webhook-handler.ts";

/** Believes what the body says, and whoever comes back from the hosted page. */
export function trustPayload(engine: Engine): SimulatedTill {
  return handleInWebhook(engine, markPaid);
}
