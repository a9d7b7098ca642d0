import type { Language, Money, OrderRef, StoreAdapter } from "@tillkit/core";
import type { WriteFault } from "./network-link.ts";

/**
 * A whole shop in memory with the rules of one kind of platform, its adapter, and probes that look at the shop itself.
 * `asking` asks us whether an order was paid, `blind` can only be written blindly, `tell-only` can be told but never read.
 */
export type MiniatureStore = {
  readonly kind: "callback" | "read-then-write" | "write-only";
  readonly storeId: string;
  readonly adapter: StoreAdapter;
  /**
   * Another adapter of the same shop, as after a restart: it knows only what the shop and our records keep. `hold` stands
   * between it and everything it calls, so that it dies with its process.
   */
  connect(hold?: WrapPort): StoreAdapter;
  placeOrder(want: OrderInput): Promise<PlacedOrder>;
  /** The cart or the order is changed; the answer names the try that is payable from now on. */
  editTotal(orderId: string, total: Money): Promise<PlacedOrder>;
  cancelOrder(orderId: string): void;
  /** The next write to the shop goes wrong in this way; called twice, the next two do. */
  failNextWrite(fault: WriteFault): void;
  /** Faults that no write has met yet are forgotten. */
  clearFaults(): void;
  /** While it is down every request is answered 503. */
  setDown(down: boolean): void;
  /** How long a request is on its way from now on, and as long again at work in the shop. Milliseconds, 0 at first. */
  setLatency(ms: number): void;
  /** Whatever was to go wrong from now on does not, and requests take no time. */
  heal(): void;
  readonly probe: StoreProbe;
};

export type WrapPort = <Port extends object>(port: Port) => Port;

export const withoutWrapping: WrapPort = (port) => port;

export type OrderInput = { readonly total: Money; readonly title: string; readonly language: Language };

export type PlacedOrder = { readonly ref: OrderRef; readonly attempt: string };

/** `sentAt`: when the request that set it left. Times in milliseconds since 1970. */
export type StatusChange = {
  readonly status: string;
  readonly by: "owner" | "us";
  readonly sentAt: number;
  readonly at: number;
};

/** What anybody would see who stands in the shop. */
export type StoreProbe = {
  /** Every time goods left the shop because an order was marked paid: this order, or any. */
  effects(orderId?: string): readonly Effect[];
  /** The payment that the shop shows on the order, null when it shows none. */
  paidBy(orderId: string): string | null;
  /** In the shop's own words. */
  status(orderId: string): string;
  /** Every status that the order took, oldest first, where the shop lets its owner set any. */
  statuses?(orderId: string): readonly StatusChange[];
  /** The owner set it to paid, and no payment is named on it. */
  isPaidManually?(orderId: string): boolean;
  /** What the owner sees marked as needing a look. */
  holds(orderId: string): Promise<readonly string[]>;
  notes(orderId: string): Promise<readonly string[]>;
};

/**
 * `total` is what the order cost at that moment, null when that is no exact amount of a currency the service takes; `at` in
 * milliseconds since 1970.
 */
export type Effect = {
  readonly orderId: string;
  readonly attempt: string;
  readonly paymentId: string;
  readonly total: Money | null;
  readonly at: number;
};

/** What a shop's probe answers: the effects of one order, or of all. */
export function filterEffects(effects: readonly Effect[], orderId: string | undefined): readonly Effect[] {
  return effects.filter((effect) => orderId === undefined || effect.orderId === orderId);
}
