import type { Clock } from "@tillkit/core";
import type { RequestContext } from "@vendure/core";
import type { VendureServices } from "./vendure-services.ts";

/** Vendure's services for one shop. `context` creates a new request context of the shop's channel. */
export type ShopServices = {
  readonly services: VendureServices;
  /** The default is the clock of the machine. */
  readonly clock?: Clock;
  context(): Promise<RequestContext>;
};
