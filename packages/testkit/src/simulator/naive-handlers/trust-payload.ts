import type { Engine } from "@tillkit/core";
import type { SimulatedApp } from "../simulated-app.ts";
import { handleInWebhook, markPaid } from "./webhook-handler.ts";

/** Trusts the webhook's body, and takes a return from the hosted page as a payment. */
export function trustPayload(engine: Engine): SimulatedApp {
  return handleInWebhook(engine, { onEvent: markPaid, onReturn: markPaid });
}
