import { constantTimeEqual } from "@tillkit/client/webhooks";
import type { Engine } from "@tillkit/core";
import { resolveWithin } from "@tillkit/core/hosts";
import type { RequestHandler } from "express";
import type { FindWarnings } from "../attention/warnings.ts";
import { serverLimits } from "../limits.ts";
import type { CountLedger } from "./ledger-counts.ts";
import type { Metrics } from "./metrics.ts";

type MetricsSources = {
  readonly engine: Pick<Engine, "clock" | "circuitBreakers">;
  readonly countLedger: CountLedger;
  readonly findWarnings: FindWarnings;
};

/** Serves a scraper that sends the token (`Authorization: Bearer …`). Other requests get a 401. */
export function createMetricsRoute(
  { engine, countLedger, findWarnings }: MetricsSources,
  metrics: Metrics,
  token: string,
): RequestHandler {
  return async function showMetrics(request, response) {
    response.set("Cache-Control", "no-store");
    if (!constantTimeEqual(request.headers.authorization ?? "", `Bearer ${token}`)) {
      response
        .status(401)
        .set("WWW-Authenticate", "Bearer")
        .type("text/plain")
        .send("Send the metrics token in the Authorization header.\n");
      return;
    }
    const { clock, circuitBreakers } = engine;
    const counts = await resolveWithin(clock, serverLimits.countTimeoutMs, countLedger()).catch(() => null);
    const warnings = await findWarnings().catch(() => []);
    const text = await metrics.text({ counts, warnings, breakers: circuitBreakers.list() });
    response.writeHead(200, { "Content-Type": metrics.contentType }).end(text);
  };
}
