import { formBodies, rawBodies } from "@tillkit/server";
import { Router } from "express";
import type { AppContext } from "../app-context.ts";
import { PATHS } from "../config/paths.ts";
import { shopifyLimits } from "../limits.ts";
import { oauthCallback } from "../oauth/oauth-callback.ts";
import { openApp } from "../oauth/open-app.ts";
import { sessionRoutes } from "../offsite/session-routes.ts";
import { orderPayRoute } from "../order/order-pay-route.ts";
import { saveSettings } from "../owner-pages/save-settings.ts";
import { sendCustomerData } from "../owner-pages/send-customer-data.ts";
import { showSettings } from "../owner-pages/show-settings.ts";
import { receiveWebhook } from "../webhooks/receive-webhook.ts";

/** The routes that Shopify and the owners of shops call. Each mode has only its own routes. */
export function shopifyRoutes(context: AppContext): Router {
  const router = Router({ strict: false, caseSensitive: true });
  router.get(PATHS.app, openApp(context));
  router.get(PATHS.callback, oauthCallback(context));
  router.get(PATHS.settings, showSettings(context));
  router.get(PATHS.customerData, sendCustomerData(context));
  const form = formBodies(shopifyLimits.formBytes, context.clock);
  router.post(PATHS.settings, form, saveSettings(context));
  router.post(PATHS.webhooks, rawBodies(shopifyLimits.webhookBytes, context.clock), receiveWebhook(context));
  if (context.config.app.mode === "order") {
    router.get(PATHS.orderPay, orderPayRoute(context));
  } else {
    const routes = sessionRoutes(context);
    const body = rawBodies(shopifyLimits.sessionBytes, context.clock);
    for (const kind of ["payment", "refund", "capture", "void"] as const) router.post(PATHS[kind], body, routes[kind]);
  }
  return router;
}
