import { type Engine, limits, type Payment } from "@tillkit/core";
import type { SimulatedApp } from "../simulated-app.ts";
import { handleInWebhook, markPaid } from "./webhook-handler.ts";

/** Reads the session and compares the amount, but without a lock and without scheduled reads. */
export function readAndCompare(engine: Engine): SimulatedApp {
  return handleInWebhook(engine, { onEvent: readAndMarkPaid, onReturn: readAndMarkPaid });
}

async function readAndMarkPaid(engine: Engine, payment: Payment): Promise<void> {
  const service = await engine.tenants.service(payment.credentialId);
  const reading = await service.readSession(payment, limits.serviceCallMs);
  if (reading.status === "completed" && reading.wireAmount === payment.wireAmount) await markPaid(engine, payment);
}
