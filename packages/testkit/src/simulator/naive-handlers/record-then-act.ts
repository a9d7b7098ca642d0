import type { Engine, Payment } from "@tillkit/core";
import type { SimulatedApp } from "../simulated-app.ts";
import { markProcessed } from "./processed-events.ts";
import { doNothing, handleInWebhook, markPaid } from "./webhook-handler.ts";

/** Marks the event as processed and then the order paid. A crash in between loses the payment. */
export function recordThenAct(engine: Engine): SimulatedApp {
  return handleInWebhook(engine, { onEvent: handleEvent, onReturn: doNothing });
}

async function handleEvent(engine: Engine, payment: Payment, eventId: string): Promise<void> {
  if (await markProcessed(engine, payment, eventId)) await markPaid(engine, payment);
}
