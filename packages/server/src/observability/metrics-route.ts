import { constantTimeEqual } from "@tillkit/client/webhooks";
import { type Engine, resolveWithin } from "@tillkit/core";
import type { RequestHandler } from "express";
import { serverLimits } from "../limits.ts";
import type { CountLedger } from "./ledger-counts.ts";
import type { Metrics } from "./metrics.ts";

/** Serves a scraper that sends the token (`Authorization: Bearer …`). Other requests get a 401. */
export function createMetricsRoute(
  engine: Pick<Engine, "clock" | "circuitBreakers">,
  countLedger: CountLedger,
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
    const text = await metrics.text({ counts, breakers: circuitBreakers.list() });
    response.writeHead(200, { "Content-Type": metrics.contentType }).end(text);
  };
}
