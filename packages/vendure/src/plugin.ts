/// <reference path="./vendure-core.d.ts" />
import type { IncomingMessage, ServerResponse } from "node:http";
import { Inject } from "@nestjs/common";
import { ModuleRef } from "@nestjs/core";
import { Injector, PluginCommonModule, ProcessContext, type RuntimeVendureConfig, VendurePlugin } from "@vendure/core";
import { TillkitAdminResolver } from "./api/admin-api.ts";
import { adminSchema } from "./api/admin-schema.ts";
import { shopSchema, TillkitShopResolver } from "./api/shop-api.ts";
import { currentCheckout, setCurrentCheckout } from "./current-checkout.ts";
import { pluginLimits } from "./limits.ts";
import { openCheckout } from "./open-checkout.ts";
import { type ResolvedOptions, readOptions, type TillkitOptions } from "./options/options.ts";
import { createOrderGuard } from "./order/order-guard.ts";
import { refuseStaleWrites } from "./order/refuse-stale-writes.ts";
import { tillkitPaymentHandler } from "./payment-handler.ts";
import { createRefundGuard } from "./refunds/refund-guard.ts";
import { noteArrival } from "./refunds/request-arrivals.ts";

let options: ResolvedOptions | null = null;

/** The plugin for Vendure. Put `TillkitPlugin.init({ … })` into `plugins` of the Vendure config. */
export class TillkitPlugin {
  readonly #modules: ModuleRef;

  constructor(modules: ModuleRef) {
    this.#modules = modules;
  }

  /** @throws CheckoutError `configuration_invalid`: one line for each mistake, without any secret */
  static init(written: TillkitOptions): typeof TillkitPlugin {
    options = readOptions(written);
    return pluginClass();
  }

  /**
   * Nest calls this method when the database is ready, before the server listens. Vendure's worker opens no checkout, because the
   * timer of the server runs all jobs.
   */
  async onApplicationBootstrap(): Promise<void> {
    const injector = new Injector(this.#modules);
    // The worker writes orders too.
    refuseStaleWrites(injector);
    if (options && injector.get(ProcessContext).isServer) setCurrentCheckout(await openCheckout(options, injector));
  }

  async onApplicationShutdown(): Promise<void> {
    const checkout = currentCheckout();
    setCurrentCheckout(null);
    await checkout?.close();
  }
}

Inject(ModuleRef)(TillkitPlugin, undefined, 0);
// Vendure's dashboard searches the built file for exactly this call, an array of decorators and then the class, to find the extension.
__decorate(
  [
    VendurePlugin({
      imports: [PluginCommonModule],
      compatibility: "^3.7.0",
      configuration: configure,
      shopApiExtensions: { schema: shopSchema, resolvers: [TillkitShopResolver] },
      adminApiExtensions: { schema: adminSchema, resolvers: [TillkitAdminResolver] },
      dashboard: "../dashboard/index.tsx",
    }),
  ],
  TillkitPlugin,
);

function __decorate(decorators: readonly ClassDecorator[], target: typeof TillkitPlugin): void {
  for (const decorate of decorators) decorate(target);
}

// The build tool renames a class whose own body names the class, and the dashboard finds the class by its name.
function pluginClass(): typeof TillkitPlugin {
  return TillkitPlugin;
}

function configure(config: RuntimeVendureConfig): RuntimeVendureConfig {
  if (!options) throw new Error("Tillkit has no options: put TillkitPlugin.init({ … }) into plugins.");
  config.paymentOptions.paymentMethodHandlers.push(tillkitPaymentHandler);
  config.paymentOptions.refundProcess = [...(config.paymentOptions.refundProcess ?? []), createRefundGuard()];
  config.orderOptions.process.push(createOrderGuard());
  config.apiOptions.middleware.push({
    route: `/${config.apiOptions.adminApiPath}`,
    beforeListen: true,
    handler(request: IncomingMessage, _response: ServerResponse, next: () => void) {
      noteArrival(request);
      next();
    },
  });
  config.apiOptions.middleware.push({
    route: new URL(options.publicUrl).pathname.replace(/\/+$/, ""),
    // Before Vendure's body parsers: a webhook is signed over its raw bytes.
    beforeListen: true,
    handler(request: IncomingMessage, response: ServerResponse, next: () => void) {
      const checkout = currentCheckout();
      if (checkout) checkout.server.router(request as never, response as never, next);
      else response.writeHead(503, { "retry-after": String(pluginLimits.retryAfterSeconds) }).end();
    },
  });
  return config;
}
