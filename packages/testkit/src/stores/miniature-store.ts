import type { Language, Money, OrderRef, StoreAdapter } from "@tillkit/core";
import type { WriteFault } from "./network-link.ts";

/**
 * A complete shop in memory that follows the rules of one kind of platform, with its adapter and probes that read the shop
 * directly. `callback`: the platform calls us to authorize a payment, like Medusa. `read-then-write`: the platform has no
 * conditional write, like WooCommerce over REST. `write-only`: the platform can be written to but not read, like Shopify's
 * Payments Apps API.
 */
export type MiniatureStore = {
  readonly kind: "callback" | "read-then-write" | "write-only";
  readonly storeId: string;
  readonly adapter: StoreAdapter;
  /**
   * Creates another adapter of the same shop, as a restarted process would: the adapter knows only what the shop and our records
   * store. `wrap` is applied to every port that the adapter calls, so that a test can stop the adapter with its process.
   */
  connect(wrap?: WrapPort): StoreAdapter;
  placeOrder(input: OrderInput): Promise<PlacedOrder>;
  /** Changes the total of the cart or order and returns the attempt that is payable from now on. */
  editTotal(orderId: string, total: Money): Promise<PlacedOrder>;
  cancelOrder(orderId: string): void;
  /** The next write to the shop fails in this way. Each call adds one fault to the queue. */
  failNextWrite(fault: WriteFault): void;
  /** Removes the queued faults. */
  clearFaults(): void;
  /** Takes the shop down, so that the shop answers every request with 503, or brings the shop back. */
  setDown(down: boolean): void;
  /** The shop refuses every request, as with a plug-in that is off, a firewall or a revoked token, or accepts requests again. */
  setRefusing(refuses: boolean): void;
  /** Sets how long a request travels, and how long the shop then works on it. Milliseconds, 0 by default. */
  setLatency(ms: number): void;
  /** Removes all faults and all latency. */
  heal(): void;
  readonly probe: StoreProbe;
};

/**
 * Wraps a port, for example with faults. `reads`: the methods that change nothing, so that nothing is lost with their answers. `sendBy`: the
 * moment after which a call with these parameters is not sent, in milliseconds since 1970.
 */
export type WrapPort = <Port extends object>(
  port: Port,
  options?: { readonly reads?: readonly (keyof Port)[]; readonly sendBy?: (...given: never[]) => number | undefined },
) => Port;

export const withoutWrapping: WrapPort = (port) => port;

export type OrderInput = { readonly total: Money; readonly title: string; readonly language: Language };

export type PlacedOrder = { readonly ref: OrderRef; readonly attempt: string };

/** One status that an order took. `sentAt`: when the request that set the status was sent. Times in milliseconds since 1970. */
export type StatusChange = {
  readonly status: string;
  readonly by: "owner" | "us";
  readonly sentAt: number;
  readonly at: number;
};

/** Reads the shop directly, without the adapter. */
export type StoreProbe = {
  /** Every time the shop shipped goods because an order was marked paid, for one order or for all orders. */
  effects(orderId?: string): readonly Effect[];
  /** The payment that the shop shows on the order, null when it shows none. */
  paidBy(orderId: string): string | null;
  /** The order's status in the platform's own terms. */
  status(orderId: string): string;
  /** Every status that the order took, oldest first. Only for shops whose owner can set any status. */
  statuses?(orderId: string): readonly StatusChange[];
  /** Whether the owner set the order to paid while the order names no payment. */
  isPaidManually?(orderId: string): boolean;
  /** Whether something else paid the order. A late write of ours may leave its payment on such an order. */
  isPaidOutside?(orderId: string): boolean;
  /** The ids of the refunds that the order shows. Only for shops whose orders show refunds. */
  refunds?(orderId: string): readonly string[];
  /** The holds for review that the owner sees on the order. */
  holds(orderId: string): Promise<readonly string[]>;
  notes(orderId: string): Promise<readonly string[]>;
};

/**
 * One shipment of goods. `total` is the order's total at that moment, or null if it is no exact amount in a currency that the
 * service accepts. `at` in milliseconds since 1970.
 */
export type Effect = {
  readonly orderId: string;
  readonly attempt: string;
  readonly paymentId: string;
  readonly total: Money | null;
  readonly at: number;
};

/** Returns the effects of one order, or of all orders. */
export function filterEffects(effects: readonly Effect[], orderId: string | undefined): readonly Effect[] {
  return effects.filter((effect) => orderId === undefined || effect.orderId === orderId);
}
