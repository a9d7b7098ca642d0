import express, { type ErrorRequestHandler, Router } from "express";
import { wooLimits } from "../limits.ts";
import { answerHealth } from "./answer-health.ts";
import { answerCheck, answerStatus } from "./answer-order.ts";
import { answerPreview } from "./answer-preview.ts";
import { answerRefund } from "./answer-refund.ts";
import type { Desk } from "./desk.ts";
import { refuseCall, takeCall } from "./take-call.ts";
import { takeHint } from "./take-hint.ts";
import { visitPay } from "./visit-pay.ts";
import { callWords } from "./words.ts";

/** Where pay links lead, and what the plugin calls. */
export function wooRoutes(desk: Desk): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const body = express.raw({ type: () => true, limit: wooLimits.callBytes });
  const hint = express.raw({ type: () => true, limit: wooLimits.hintBytes });
  const health = answerHealth(desk);
  router.get("/woo/pay", (request, response) => visitPay(desk, request, response));
  router.post("/woo/refunds", body, takeCall(desk, "refund", answerRefund));
  router.post("/woo/orders/status", body, takeCall(desk, "status", answerStatus));
  router.post("/woo/orders/check", body, takeCall(desk, "check", answerCheck));
  router.post("/woo/health", body, takeCall(desk, "health", health));
  router.post("/woo/preview", body, takeCall(desk, "preview", answerPreview));
  router.post("/hooks/woo/:storeId", hint, (request, response) => takeHint(desk, request, response));
  router.use("/woo", refuseBody);
  return router;
}

/** A body that could not be read whole: too large, or broken off. */
const refuseBody: ErrorRequestHandler = function refuseBody(error, _request, response, next) {
  if (response.headersSent) return next(error);
  const isTooLarge = error instanceof Error && "type" in error && error.type === "entity.too.large";
  const words = callWords("en");
  const { status, body } = isTooLarge
    ? refuseCall(413, "body_too_large", words.bodyTooLarge)
    : refuseCall(400, "bad_request", words.badRequest);
  response.status(status).set("Cache-Control", "no-store").json(body);
};
