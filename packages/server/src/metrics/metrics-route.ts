import { type Engine, resolveWithin } from "@tillkit/core";
import type { RequestHandler } from "express";
import { hostLimits } from "../limits.ts";
import { sameSecret } from "../same-secret.ts";
import type { CountLedger } from "./ledger-counts.ts";
import type { Metrics } from "./metrics.ts";

/** For a scraper that knows the token (`Authorization: Bearer …`); everybody else gets a 401. */
export function createMetricsRoute(
  engine: Pick<Engine, "clock" | "circuitBreakers">,
  count: CountLedger,
  metrics: Metrics,
  token: string,
): RequestHandler {
  return async function showMetrics(request, response) {
    response.set("Cache-Control", "no-store");
    if (!sameSecret(request.headers.authorization ?? "", `Bearer ${token}`)) {
      response.status(401).set("WWW-Authenticate", "Bearer").type("text/plain").send("Metrics need their token.\n");
      return;
    }
    const { clock, circuitBreakers } = engine;
    const counts = await resolveWithin(clock, hostLimits.countMs, count()).catch(() => null);
    const text = await metrics.text({ counts, breakers: circuitBreakers.list() });
    response.writeHead(200, { "Content-Type": metrics.contentType }).end(text);
  };
}
