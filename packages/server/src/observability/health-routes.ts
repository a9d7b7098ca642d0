import { type ReadinessOptions, readHealth, readReadiness } from "@tillkit/runtime";
import { type Response, Router } from "express";

/** `/healthz` and `/readyz`: 200 with the facts when the process is healthy or ready, 503 otherwise. */
export function createHealthRoutes(options: ReadinessOptions): Router {
  const { ledger, timer, clock } = options;
  return Router()
    .get("/healthz", async (_request, response) => {
      const health = await readHealth(ledger, timer, clock);
      sendFacts(response, health.ok, health);
    })
    .get("/readyz", async (_request, response) => {
      const readiness = await readReadiness(options);
      sendFacts(response, readiness.ready, readiness);
    });
}

function sendFacts(response: Response, isOk: boolean, facts: object): void {
  response.writeHead(isOk ? 200 : 503, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
  });
  response.end(`${JSON.stringify(facts)}\n`);
}
