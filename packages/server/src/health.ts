import type { Clock, PaymentLedger } from "@tillkit/core";
import { readHealth, type WorkTimer } from "@tillkit/runtime";
import type { RequestHandler } from "express";
import { sendJson } from "./send-json.ts";

/** Responds with `Health`: 200 while the ledger answers, 503 otherwise. */
export function createHealthRoute(ledger: PaymentLedger, timer: WorkTimer, clock: Clock): RequestHandler {
  return async function health(_request, response) {
    const body = await readHealth(ledger, timer, clock);
    sendJson(response, body.ok ? 200 : 503, body);
  };
}
