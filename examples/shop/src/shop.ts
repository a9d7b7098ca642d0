import { readFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { type CredentialConfig, type Environment, type PaymentLedger, systemClock } from "@tillkit/core";
import { type CheckoutServer, createCheckoutServer } from "@tillkit/server";
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import { createFormTokens } from "./form-tokens.ts";
import { orderRoutes } from "./routes/order.ts";
import { ownerRoutes } from "./routes/owner.ts";
import { isOwnForm, type RouteContext, showProblem, visitOf } from "./routes/route-context.ts";
import { shoppingRoutes } from "./routes/shopping.ts";
import { createShopAdapter, STORE_ID } from "./shop-adapter.ts";
import { openShopDatabase, type ShopDatabase } from "./shop-database.ts";
import { addressWithoutLanguage, saveLanguage } from "./visit.ts";

export type ShopOptions = {
  readonly databaseUrl: string;
  /** The public URL of the shop, without a trailing slash. */
  readonly publicUrl: string;
  /** The origin of the hosted pages, to which a form of the shop may redirect. */
  readonly hostedPages: string;
  readonly environment: Environment;
  readonly ledger: PaymentLedger;
  /** Sign links and forms; newest first, at least 32 characters each. */
  readonly keys: readonly [string, ...string[]];
  readonly credential: Omit<CredentialConfig, "storeIds">;
  /** Each token gives access to the operators' pages at /operators. */
  readonly operatorTokens: readonly string[];
  /** Enables the owner's page at /owner, without a password and for this machine only. */
  readonly owner: boolean;
};

export type Shop = {
  readonly listener: RequestListener;
  readonly checkout: CheckoutServer;
  readonly database: ShopDatabase;
  close(): Promise<void>;
};

/** Creates the whole shop behind one request listener. The caller opens the port, so that the public URL is known beforehand. */
export async function createShop(options: ShopOptions): Promise<Shop> {
  const { publicUrl, environment, ledger, keys } = options;
  const database = await openShopDatabase(options.databaseUrl);
  const clock = systemClock;
  const checkout = createCheckoutServer({
    publicUrl,
    keys,
    ledger,
    stores: { [STORE_ID]: createShopAdapter(database, { publicUrl, environment, now: clock.now }) },
    credentials: [{ ...options.credential, storeIds: [STORE_ID] }],
    operators: { tokens: options.operatorTokens },
  });
  const cookies = { secure: publicUrl.startsWith("https:") };
  const context = { shop: database, checkout, tokens: createFormTokens(keys[0]), cookies, environment, clock };
  const app = createApp(context, options, await readFiles());
  checkout.startTimer();

  async function close(): Promise<void> {
    await checkout.close();
    await database.close();
  }

  // The webhook route needs the raw bytes, so it comes before Express.
  return { listener: checkout.listener(app), checkout, database, close };
}

function createApp(context: RouteContext, options: ShopOptions, files: ReadonlyMap<string, StaticFile>): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use(context.checkout.router);
  app.use(pageHeaders(options.hostedPages));
  app.get([...files.keys()], (request, response) => {
    const file = files.get(request.path);
    response
      .type(file?.type ?? "text")
      .set("Cache-Control", "public, max-age=300")
      .send(file?.text);
  });
  app.use(chooseLanguage(context));
  app.use(express.urlencoded({ extended: false, limit: "8kb", parameterLimit: 20 }));
  app.use(ownFormsOnly(context));
  app.use(shoppingRoutes(context), orderRoutes(context));
  if (options.owner) app.use(ownerRoutes(context));
  app.use((request, response) => showProblem(response, visitOf(context, request, response), "notFound"));
  app.use(showErrors(context));
  return app;
}

/**
 * The policy allows only what this shop serves. `form-action` names the hosted pages, because a browser applies `form-action`
 * to the redirect after a form too. The referrer is disabled because the address of an order page gives access to the order.
 */
function pageHeaders(hostedPages: string): RequestHandler {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    `form-action 'self' ${new URL(hostedPages).origin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return function setPageHeaders(_request, response, next) {
    response.set({
      "Content-Security-Policy": policy,
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
    });
    next();
  };
}

function chooseLanguage({ cookies }: RouteContext): RequestHandler {
  return function followLanguageSwitch(request, response, next) {
    const { language } = request.query;
    if (request.method !== "GET" || (language !== "fr" && language !== "en")) return next();
    saveLanguage(response, language, cookies);
    response.redirect(303, addressWithoutLanguage(request));
  };
}

function ownFormsOnly(context: RouteContext): RequestHandler {
  return function refuseOtherForms(request, response, next) {
    if (request.method !== "POST" || isOwnForm(context, request)) return next();
    showProblem(response, visitOf(context, request, response), "formExpired");
  };
}

function showErrors(context: RouteContext): ErrorRequestHandler {
  return function showError(error, request, response, next) {
    if (response.headersSent) return next(error);
    const status: unknown = error instanceof Error && "status" in error ? error.status : undefined;
    const isClientError = typeof status === "number" && status >= 400 && status < 500;
    // Do not log the address, because it opens an order's page.
    if (!isClientError)
      console.error(`The shop could not answer a request: ${error instanceof Error ? error.message : "unknown"}`);
    showProblem(response, visitOf(context, request, response), isClientError ? "badRequest" : "broken");
  };
}

type StaticFile = { readonly type: string; readonly text: string };

async function readFiles(): Promise<ReadonlyMap<string, StaticFile>> {
  const types = { "style.css": "css", "order.js": "js", "pay.js": "js", "icon.svg": "svg" } as const;
  const reads = Object.entries(types).map(async ([name, type]): Promise<[string, StaticFile]> => {
    return [`/${name}`, { type, text: await readFile(new URL(`./public/${name}`, import.meta.url), "utf8") }];
  });
  return new Map(await Promise.all(reads));
}
