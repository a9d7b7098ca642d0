import type { RequestListener } from "node:http";
import { type CredentialConfig, type Ledger, systemClock } from "@tillkit/core";
import { type CheckoutServer, createCheckoutServer } from "@tillkit/server";
import express, { type Request } from "express";
import { createPlatformAdapter } from "./platform-adapter.ts";
import { createNotify, isFromPlatform, type PlatformShop, type PostedPayment } from "./platform-wire.ts";

export type OffsitePlatformOptions = {
  readonly publicUrl: string;
  readonly keys: readonly string[];
  readonly ledger: Ledger;
  readonly credential: Omit<CredentialConfig, "storeIds">;
  readonly shop: PlatformShop & { readonly notifyUrl: string; readonly token: string };
};

/** The app of one shop on the platform: receives its payments, sends shoppers to the hosted page, and notifies the platform. */
export function createOffsitePlatform(options: OffsitePlatformOptions): {
  readonly listener: RequestListener;
  readonly checkout: CheckoutServer;
} {
  const { shop, ledger, publicUrl, keys } = options;
  const { handle: storeId, token, notifyUrl: url } = shop;
  const adapter = createPlatformAdapter(storeId, ledger.records, createNotify({ url, token, clock: systemClock }));
  const credentials = [{ ...options.credential, storeIds: [storeId] }];
  const checkout = createCheckoutServer({ publicUrl, keys, ledger, stores: { [storeId]: adapter }, credentials });
  const isGenuine = (request: Request) => isFromPlatform(request.body, request.header.bind(request), shop, Date.now());

  const app = express().disable("x-powered-by").use(checkout.router);
  app.use(express.raw({ type: () => true, limit: "64kb" }));

  // This route does not call the service, so the platform gets its answer even while the service is down.
  app.post("/platform/payments", async (request, response) => {
    if (!isGenuine(request)) return response.sendStatus(401);
    const post = JSON.parse(request.body.toString()) as PostedPayment;
    const { orderTransactionId: attempt, referenceOrderId: orderId } = post;
    await ledger.records.put(storeId, "post", attempt, post, "new");
    const stored = await ledger.records.get(storeId, "post", attempt);
    if (JSON.stringify(stored?.value) !== JSON.stringify(post)) return response.sendStatus(409);
    return response.json({ redirectUrl: checkout.payLink({ ref: { storeId, orderId }, attempt }) });
  });

  // The platform queries a payment for about a day, in case our notification never arrived.
  app.post("/platform/query", async (request, response) => {
    if (!isGenuine(request)) return response.sendStatus(401);
    const { orderTransactionId: attempt, referenceOrderId: orderId } = JSON.parse(request.body.toString());
    const order = await adapter.findOrder({ storeId, orderId }, attempt);
    if (!order) return response.sendStatus(404);
    return response.json({ status: order.paidBy === null ? "PROCESSING" : "SUCCEEDED" });
  });

  return { listener: checkout.listener(app), checkout };
}
