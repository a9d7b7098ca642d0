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
import { BRIDGE_PATH } from "../names.ts";
import { handlePairingConfirmation, handlePairingForm, handlePairingStart } from "../pairing/handle-pairing.ts";
import { handleConnectConfirmation, handleConnectForm } from "../self-service/handle-connect.ts";
import { serverLimits } from "../server-limits.ts";
import type { CallPurpose } from "../signed-call.ts";
import { handlePayLink } from "./handle-pay-link.ts";

/** The calls of the plugin, by purpose. */
const ANSWERS = {
  refund: handleRefund,
  status: handleStatus,
  check: handleCheck,
  decide: handleDecide,
  export: handleExport,
  erase: handleErase,
  installation: handleInstallation,
  login: handleLogin,
  disconnect: handleDisconnect,
  preview: handlePreview,
};

/** The routes for pay links, calls of the plugin, and the platform's own messages. */
export function createRoutes(context: AppContext): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const body = rawBodies(serverLimits.callBytes, context.clock);
  router.get(`${BRIDGE_PATH}pay`, (request, response) => handlePayLink(context, request, response));
  for (const [purpose, answer] of Object.entries({ ...ANSWERS, health: createHealthHandler(context) }))
    router.post(`${BRIDGE_PATH}${purpose}`, body, createCallHandler(context, purpose as CallPurpose, answer));
  const form = formBodies(serverLimits.pairingFormBytes, context.clock);
  router.get(`${BRIDGE_PATH}pair`, (request, response) => handlePairingStart(context, request, response));
  const [showForm, confirm] =
    context.selfService === null
      ? ([handlePairingForm, handlePairingConfirmation] as const)
      : ([handleConnectForm, handleConnectConfirmation] as const);
  router.post(`${BRIDGE_PATH}pair`, form, (request, response) => showForm(context, request, response));
  const attempts = createAttemptLimit(context.clock, {
    maxAttempts: serverLimits.pairingAttempts,
    windowMs: serverLimits.pairingWindowMs,
  });
  router.post(`${BRIDGE_PATH}pair/confirm`, form, (request, response) => confirm(context, attempts, request, response));
  const ownRoutes = context.platform.routes?.(context);
  if (ownRoutes) router.use(ownRoutes);
  router.use(BRIDGE_PATH, refuseUnreadableBody);
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
