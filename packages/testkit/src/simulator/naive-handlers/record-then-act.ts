import type { Engine } from "@tillkit/core";
import type { SimulatedApp } from "../simulated-app.ts";
import { markProcessed } from "./processed-events.ts";
import { handleInWebhook, markPaid } from "./webhook-handler.ts";

/** Notes the event as processed, so that it counts once, and then marks the order: whoever dies in between loses it. */
export function recordThenAct(engine: Engine): SimulatedApp {
  return handleInWebhook(
    engine,
    async (_engine, payment, eventId) => {
      if (await markProcessed(engine, payment, eventId)) await markPaid(engine, payment);
    },
    async () => {},
  );
}
