import { createAttemptLimit, formBodies, rawBodies } from "@tillkit/server";
import { type ErrorRequestHandler, Router } from "express";
import type { AppContext } from "../app-context.ts";
import { callMessages } from "../calls/call-messages.ts";
import { handleDecide } from "../calls/handle-decide.ts";
import { handleDisconnect } from "../calls/handle-disconnect.ts";
import { createHealthHandler } from "../calls/handle-health.ts";
import { handleInstallation } from "../calls/handle-installation.ts";
import { handleLogin } from "../calls/handle-login.ts";
import { handleCheck, handleStatus } from "../calls/handle-order.ts";
import { handleErase, handleExport } from "../calls/handle-personal-data.ts";
import { handlePreview } from "../calls/handle-preview.ts";
import { handleRefund } from "../calls/handle-refund.ts";
import { createCallHandler, errorResponse } from "../calls/receive-call.ts";
import { wooLimits } from "../limits.ts";
import { handlePairingConfirmation, handlePairingForm, handlePairingStart } from "../pairing/handle-pairing.ts";
import { handleConnectConfirmation, handleConnectForm } from "../self-service/handle-connect.ts";
import { handleOrderWebhook } from "./handle-order-webhook.ts";
import { handlePayLink } from "./handle-pay-link.ts";

/** The routes for pay links, calls of the plugin, and WooCommerce's own webhooks. */
export function createRoutes(context: AppContext): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const body = rawBodies(wooLimits.callBytes, context.clock);
  const webhookBody = rawBodies(wooLimits.shopWebhookBytes, context.clock);
  const health = createHealthHandler(context);
  router.get("/woo/pay", (request, response) => handlePayLink(context, request, response));
  router.post("/woo/refunds", body, createCallHandler(context, "refund", handleRefund));
  router.post("/woo/orders/status", body, createCallHandler(context, "status", handleStatus));
  router.post("/woo/orders/check", body, createCallHandler(context, "check", handleCheck));
  router.post("/woo/orders/decide", body, createCallHandler(context, "decide", handleDecide));
  router.post("/woo/orders/export", body, createCallHandler(context, "export", handleExport));
  router.post("/woo/orders/erase", body, createCallHandler(context, "erase", handleErase));
  router.post("/woo/installation", body, createCallHandler(context, "installation", handleInstallation));
  router.post("/woo/health", body, createCallHandler(context, "health", health));
  router.post("/woo/login", body, createCallHandler(context, "login", handleLogin));
  router.post("/woo/disconnect", body, createCallHandler(context, "disconnect", handleDisconnect));
  router.post("/woo/preview", body, createCallHandler(context, "preview", handlePreview));
  const form = formBodies(wooLimits.pairingFormBytes, context.clock);
  router.get("/woo/pair", handlePairingStart);
  const [showForm, confirm] =
    context.selfService === null
      ? ([handlePairingForm, handlePairingConfirmation] as const)
      : ([handleConnectForm, handleConnectConfirmation] as const);
  router.post("/woo/pair", form, (request, response) => showForm(context, request, response));
  const attempts = createAttemptLimit(context.clock, {
    maxAttempts: wooLimits.pairingAttempts,
    windowMs: wooLimits.pairingWindowMs,
  });
  router.post("/woo/pair/confirm", form, (request, response) => confirm(context, attempts, request, response));
  router.post("/hooks/woo/:storeId", webhookBody, (request, response) =>
    handleOrderWebhook(context, request, response),
  );
  router.use("/woo", refuseUnreadableBody);
  return router;
}

/** Answers a body that is too large or incomplete. */
const refuseUnreadableBody: ErrorRequestHandler = function refuseBody(error, _request, response, next) {
  if (response.headersSent) return next(error);
  const isTooLarge = error instanceof Error && "type" in error && error.type === "entity.too.large";
  const messages = callMessages("en");
  const { status, body } = isTooLarge
    ? errorResponse(413, "body_too_large", messages.bodyTooLarge)
    : errorResponse(400, "bad_request", messages.badRequest);
  response.status(status).set("Cache-Control", "no-store").json(body);
};
