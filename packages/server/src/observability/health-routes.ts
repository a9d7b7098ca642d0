import { type ReadinessOptions, readHealth, readLiveness, readReadiness } from "@tillkit/runtime";
import { type Response, Router } from "express";
import { type FindWarnings, warningText } from "../attention/warnings.ts";

/** `findWarnings`: what the operator must change soon, which `/readyz` shows. */
type HealthOptions = ReadinessOptions & { readonly findWarnings: FindWarnings };

/** `/livez`, `/healthz` and `/readyz`: 200 with the facts when the process is alive, healthy or ready, 503 otherwise. */
export function createHealthRoutes(options: HealthOptions): Router {
  const { ledger, timer, clock, findWarnings } = options;
  return Router()
    .get("/livez", (_request, response) => {
      const liveness = readLiveness({ timer, clock });
      sendFacts(response, liveness.alive, liveness);
    })
    .get("/healthz", async (_request, response) => {
      const health = await readHealth(ledger, timer, clock);
      sendFacts(response, health.ok, health);
    })
    .get("/readyz", async (_request, response) => {
      const readiness = await readReadiness(options);
      // A ledger that does not answer is already shown as a fact; warnings that are read from it are then left out.
      const found = await findWarnings().catch(() => []);
      const warnings = found.map((warning) => ({ code: warning.code, message: warningText(warning, "en") }));
      const facts = warnings.length > 0 ? { ...readiness, warnings } : readiness;
      sendFacts(response, readiness.ready, facts);
    });
}

function sendFacts(response: Response, isOk: boolean, facts: object): void {
  response.writeHead(isOk ? 200 : 503, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
  });
  response.end(`${JSON.stringify(facts)}\n`);
}
