import express, { Router } from "express";
import { shopifyLimits } from "../limits.ts";
import { enterApp, finishGrant } from "../oauth/oauth-routes.ts";
import { SESSION_BODY, sessionRoutes } from "../offsite/take-session.ts";
import { visitOrderPay } from "../order/visit-order-pay.ts";
import { saveSettings, showSettings } from "../owner/settings-routes.ts";
import { takeWebhook, WEBHOOK_BODY } from "../webhooks/take-webhook.ts";
import type { Desk } from "./desk.ts";
import { PATHS } from "./paths.ts";

/** Everything that Shopify and the owners of shops call. Of the two modes only one is there. */
export function shopifyRoutes(desk: Desk): Router {
  const router = Router({ strict: false, caseSensitive: true });
  router.get(PATHS.app, enterApp(desk));
  router.get(PATHS.callback, finishGrant(desk));
  router.get(PATHS.settings, showSettings(desk));
  const form = express.urlencoded({ extended: false, limit: shopifyLimits.formBytes, parameterLimit: 20 });
  router.post(PATHS.settings, form, saveSettings(desk));
  router.post(PATHS.webhooks, express.raw(WEBHOOK_BODY), takeWebhook(desk));
  if (desk.config.app.mode === "order") {
    router.get(PATHS.orderPay, visitOrderPay(desk));
  } else {
    const sessions = sessionRoutes(desk);
    const body = express.raw(SESSION_BODY);
    for (const kind of ["payment", "refund", "capture", "void"] as const)
      router.post(PATHS[kind], body, sessions[kind]);
  }
  return router;
}
