import express, { Router } from "express";
import { wooLimits } from "../limits.ts";
import { answerHealth } from "./answer-health.ts";
import { answerCheck, answerStatus } from "./answer-order.ts";
import { answerPreview } from "./answer-preview.ts";
import { answerRefund } from "./answer-refund.ts";
import type { Desk } from "./desk.ts";
import { takeCall } from "./take-call.ts";
import { takeHint } from "./take-hint.ts";
import { visitPay } from "./visit-pay.ts";

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
  return router;
}
