import { type ReadinessOptions, readReadiness } from "@tillkit/runtime";
import type { RequestHandler } from "express";
import { sendJson } from "./send-json.ts";

/** Responds with `Readiness`: 200 while this process does its part, 503 otherwise. */
export function createReadinessRoute(options: ReadinessOptions): RequestHandler {
  return async function readiness(_request, response) {
    const body = await readReadiness(options);
    sendJson(response, body.ready ? 200 : 503, body);
  };
}
