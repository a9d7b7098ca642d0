import type { RequestContext } from "@vendure/core";
import type { VendureServices } from "./vendure-services.ts";

/** Vendure's services, and a new context of one shop's channel. */
export type ShopServices = { readonly services: VendureServices; context(): Promise<RequestContext> };
