import { createSendBy, type Transport } from "@tillkit/client";
import {
  type Clock,
  type Environment,
  type Language,
  type Log,
  limits,
  type OrderRef,
  type StoreAdapter,
  silentLog,
} from "@tillkit/core";
import type { BridgedOrder } from "../orders/bridged-order.ts";
import type { BridgedPlatform } from "../platform.ts";
import type { LinkSecrets } from "../signature.ts";
import { createPluginRoutes, type PluginRoutes } from "../transport/plugin-routes.ts";

/** The connection to one PHP shop, as its configuration names it. */
export type BridgedStoreOptions = {
  readonly storeId: string;
  /** The address of the shop, without a trailing slash. */
  readonly url: string;
  /** The name of the shop on our pages. */
  readonly name?: string | undefined;
  /** The logo, an https address, and the colour of buttons on our pages, such as `#0a7d4b`. */
  readonly branding?: { readonly logoUrl?: string | undefined; readonly color?: string | undefined } | undefined;
  readonly linkSecret: string;
  /** The secret that the plugin may still use during a change of the link secret. */
  readonly previousLinkSecret?: string | undefined;
  readonly environment: Environment;
  /** For orders without a language; `fr` by default. */
  readonly language?: Language | undefined;
  /** What happens to an order whose payment does not match: `notify` (the default) puts it on hold, `note` only adds a note. */
  readonly onMismatch?: "notify" | "note" | undefined;
  readonly clock: Clock;
  /** Nothing is logged unless set. */
  readonly log?: Log | undefined;
  /** Sends all requests to the shop. By default over `node:http` and `node:https`. */
  readonly transport?: Transport | undefined;
};

/** The connection to one PHP shop. */
export type BridgedStore = {
  readonly platform: BridgedPlatform;
  readonly storeId: string;
  readonly url: string;
  readonly name: string | undefined;
  readonly branding: StoreAdapter["branding"];
  readonly environment: Environment;
  readonly language: Language;
  readonly onMismatch: "notify" | "note";
  readonly clock: Clock;
  readonly log: Log;
  /** The secrets that the plugin may have signed with, the current one first. */
  readonly linkSecrets: LinkSecrets;
  readonly plugin: PluginRoutes;
};

/** A connected shop, as the handlers of the checkout server use it. */
export type BridgedConnection = BridgedStore & {
  /** Null for an unknown order and for an order of another shop. @throws StoreError */
  readOrder(ref: OrderRef): Promise<BridgedOrder | null>;
  /** Like `readOrder`, after the shop was told which payment of the order is no longer there: the order may wait for another one. */
  readForPayment(ref: OrderRef): Promise<BridgedOrder | null>;
  /** How a payment would be written to the shop now. @throws StoreError when the shop does not answer */
  examine(): Promise<"by-plugin" | "by-rest" | "unreachable">;
  /** Called before the daily reconciliation of the orders that changed since this time, in milliseconds since 1970. */
  prepareSweep?(since: number): Promise<unknown>;
  /** Called after it, when all money that arrived is known. */
  finishSweep?(since: number): Promise<unknown>;
};

export function createBridgedStore(platform: BridgedPlatform, options: BridgedStoreOptions): BridgedStore {
  const { storeId, url, name, environment, language = "fr", onMismatch = "notify", clock, log = silentLog } = options;
  const { linkSecret, previousLinkSecret, branding: { logoUrl, color } = {} } = options;
  const branding = {
    homeUrl: `${url}/`,
    ...(logoUrl === undefined ? {} : { logoUrl }),
    ...(color === undefined ? {} : { color }),
  };
  const linkSecrets: LinkSecrets = [linkSecret, ...(previousLinkSecret === undefined ? [] : [previousLinkSecret])];
  const plugin = createPluginRoutes({ ...options, place: platform.place });
  const shop = { platform, storeId, url, name, branding, environment, language, onMismatch };
  return { ...shop, clock, log, linkSecrets, plugin };
}

/** The same store for one adapter call that starts now: it sends nothing after the engine's time limit for a call. */
export function forOneCall(store: BridgedStore): BridgedStore {
  const { plugin, clock } = store;
  return { ...store, plugin: plugin.withSendBy(createSendBy(clock.now() + limits.storeCallMs, clock)) };
}
