import { type Engine, limits } from "@tillkit/core";
import type { SimulatedApp } from "../simulated-app.ts";
import { handleInWebhook, markPaid } from "./webhook-handler.ts";

/** Asks the service and compares the amount, which is good; but nobody holds a lock and nobody looks later. */
export function readAndCompare(engine: Engine): SimulatedApp {
  return handleInWebhook(engine, async (_engine, payment) => {
    const service = await engine.tenants.service(payment.credentialId);
    const reading = await service.readSession(payment, limits.serviceCallMs);
    if (reading.status === "completed" && reading.wireAmount === payment.wireAmount) await markPaid(engine, payment);
  });
}
