import type { Engine, Payment } from "@tillkit/core";
import type { SimulatedApp } from "../simulated-app.ts";
import { isProcessed, markProcessed } from "./processed-events.ts";
import { doNothing, handleInWebhook, markPaid } from "./webhook-handler.ts";

/** Marks the order paid and then the event as processed. Two concurrent deliveries both mark the order paid. */
export function actThenRecord(engine: Engine): SimulatedApp {
  return handleInWebhook(engine, { onEvent: handleEvent, onReturn: doNothing });
}

async function handleEvent(engine: Engine, payment: Payment, eventId: string): Promise<void> {
  if (await isProcessed(engine, payment, eventId)) return;
  await markPaid(engine, payment);
  await markProcessed(engine, payment, eventId);
}
