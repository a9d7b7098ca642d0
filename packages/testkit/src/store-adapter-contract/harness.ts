import { type Environment, type Money, type StoreAdapter, type WritingMember, writeClassOf } from "@tillkit/core";
import type { OrderInput, PlacedOrder } from "../stores/miniature-store.ts";

/**
 * A shop under test: how to place orders, what can fail, and probes that read the shop directly. Every rule of the contract gets
 * its own shop.
 *
 * Leave out what the shop does not support and give the reason in `unsupported`. The title of the skipped rule shows the reason.
 */
export type StoreAdapterHarness = {
  readonly adapter: StoreAdapter;
  readonly environment: Environment;
  /**
   * The currencies that the shop sells in, XOF and USD by default. Rules that accept any currency use the first currency. If the
   * shop does not sell in XOF or USD, give the reason in `unsupported`.
   */
  readonly currencies?: readonly ["XOF" | "USD" | "EUR", ...("XOF" | "USD" | "EUR")[]];
  /** Places a new unpaid order. */
  placeOrder(input: OrderInput): Promise<PlacedOrder>;
  readonly probe: StoreHarnessProbe;

  /** Changes the order's total and returns the attempt that is payable from then on. */
  editTotal?(placed: PlacedOrder, total: Money): Promise<PlacedOrder>;
  /** Cancels the order or makes it unpayable in another way. */
  makeUnpayable?(placed: PlacedOrder): Promise<void>;
  /** Pays the order outside Tillkit, for example with cash or another gateway. */
  payOutside?(placed: PlacedOrder): Promise<void>;
  /** Starts a second attempt of the same order, as in another tab. */
  secondAttempt?(placed: PlacedOrder): Promise<PlacedOrder>;
  /** Creates another adapter of the same shop, as a restarted process would. */
  restart?(): Promise<StoreAdapter>;
  /** The faults between adapter and shop. */
  readonly network?: StoreHarnessNetwork;
  /** Releases the shop's resources. Called after every rule. */
  close?(): Promise<void>;

  readonly unsupported?: Readonly<Partial<Record<Capability, string>>>;
};

/** Reads the shop's own tables or API, never through the adapter. */
export type StoreHarnessProbe = {
  /** Returns the payment of ours that the shop shows on the order, or null if the shop shows none. */
  paidBy(placed: PlacedOrder): Promise<string | null>;
  /**
   * Returns how often our payments marked the order paid: count the stock movements, captures or shipments of `markPaid`, and not
   * those of `payOutside`.
   */
  timesPaid(placed: PlacedOrder): Promise<number>;
  /** Returns the holds that the owner sees on the order, one text per hold. */
  holds(placed: PlacedOrder): Promise<readonly string[]>;
  /** Required if the adapter has `addNote`. */
  notes?(placed: PlacedOrder): Promise<readonly string[]>;
  /** Returns the amount of each refund that the shop shows on the order. Required if the adapter has `recordRefund`. */
  refunds?(placed: PlacedOrder): Promise<readonly Money[]>;
};

export type StoreHarnessNetwork = {
  /** Makes the shop unreachable, or answer 503, while `work` runs. */
  whileDown(work: () => Promise<void>): Promise<void>;
  /** Breaks the connection at the next write, before or after the write takes effect. */
  loseNextAnswer(when: "before-effect" | "after-effect"): Promise<void>;
  /** Delays the next write by `ms`, beyond the timeout of its caller. */
  delayNextWrite(ms: number): Promise<void>;
  /** Advances a manual clock or waits in real time. */
  advanceTime(ms: number): Promise<void>;
};

/**
 * The capabilities that rules may need. `readBack`: the adapter can read the current state of an order. `titles` and
 * `languages`: an order keeps the title and the language that it was placed with.
 */
export const CAPABILITIES = [
  "readBack",
  "titles",
  "languages",
  "XOF",
  "USD",
  "editTotal",
  "makeUnpayable",
  "payOutside",
  "secondAttempt",
  "restart",
  "network",
  "conditionalWrites",
  "conditionalRefunds",
  "conditionalHolds",
  "conditionalNotes",
  "markPending",
  "markRefused",
  "recordRefund",
  "addNote",
  "listUnsettled",
] as const;

export type Capability = (typeof CAPABILITIES)[number];

/**
 * Returns why the shop lacks a capability, or null if the shop has it. @throws Error if the harness has neither the part that the
 * capability needs nor a reason why it is missing
 */
export function missingReason(harness: StoreAdapterHarness, capability: Capability): string | null {
  const reason = harness.unsupported?.[capability];
  if (reason !== undefined) return reason;
  switch (capability) {
    case "readBack":
    case "titles":
    case "languages":
      return null;
    case "XOF":
    case "USD":
      if (currenciesOf(harness).includes(capability)) return null;
      throw new Error(
        `The harness's "currencies" lack ${capability}. Add ${capability}, or give the reason in "unsupported.${capability}".`,
      );
    case "conditionalWrites":
      return harness.adapter.writes.kind === "conditional" ? null : "this platform has no conditional write";
    case "conditionalRefunds":
      return missingCondition(harness, "recordRefund", "refunds");
    case "conditionalHolds":
      return missingCondition(harness, "holdForReview", "holds");
    case "conditionalNotes":
      return missingCondition(harness, "addNote", "notes");
    case "markPending":
    case "markRefused":
    case "recordRefund":
    case "addNote":
    case "listUnsettled":
      return harness.adapter[capability] === undefined ? `the adapter has no ${capability}` : null;
    default:
      if (harness[capability] !== undefined) return null;
      throw new Error(`The harness has no "${capability}". Add the part, or give the reason in "unsupported".`);
  }
}

function missingCondition({ adapter }: StoreAdapterHarness, member: WritingMember, written: string): string | null {
  const isConditional = writeClassOf(adapter, member).kind === "conditional";
  return isConditional ? null : `this platform has no conditional write of ${written}`;
}

export function currenciesOf(harness: StoreAdapterHarness): readonly [string, ...string[]] {
  return harness.currencies ?? ["XOF", "USD"];
}
