import type { RequestContext } from "@vendure/core";
import type { VendureServices } from "./vendure-services.ts";

/** Vendure's services for one shop. `context` creates a new request context of the shop's channel. */
export type ShopServices = { readonly services: VendureServices; context(): Promise<RequestContext> };
