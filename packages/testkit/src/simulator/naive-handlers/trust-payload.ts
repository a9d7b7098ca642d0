import type { Engine } from "@tillkit/core";
import type { SimulatedApp } from "../simulated-app.ts";
import { handleInWebhook, markPaid } from "./webhook-handler.ts";

/** Trusts the webhook's body. `handleInWebhook` does the same on every return from the hosted page. */
export function trustPayload(engine: Engine): SimulatedApp {
  return handleInWebhook(engine, markPaid);
}
