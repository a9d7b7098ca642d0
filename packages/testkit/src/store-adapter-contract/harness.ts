import type { Environment, Money, StoreAdapter } from "@tillkit/core";
import type { OrderInput, PlacedOrder } from "../stores/miniature-store.ts";

/**
 * A shop in a test: how orders get into it, what can go wrong with it, and probes that look at it directly. Every rule of
 * the contract gets a shop of its own.
 *
 * What a shop cannot do is left out and its reason given in `without`: the reason stands in the title of the skipped rule.
 */
export type StoreAdapterHarness = {
  readonly adapter: StoreAdapter;
  readonly environment: Environment;
  /** Currencies that the shop sells in; XOF and USD unless said. The first one is used where any will do. */
  readonly currencies?: readonly ["XOF" | "USD" | "EUR", ...("XOF" | "USD" | "EUR")[]];
  /** A new order that waits for its payment. */
  placeOrder(want: OrderInput): Promise<PlacedOrder>;
  readonly probe: StoreHarnessProbe;

  /** The shopper or the owner changes the total; answers the try that is payable from then on. */
  editTotal?(placed: PlacedOrder, total: Money): Promise<PlacedOrder>;
  /** The order is cancelled, or can no longer be paid for another reason. */
  makeUnpayable?(placed: PlacedOrder): Promise<void>;
  /** The order is paid by something that is not ours: cash, another gateway. */
  payOutside?(placed: PlacedOrder): Promise<void>;
  /** A second try of the same order, in another tab. */
  secondAttempt?(placed: PlacedOrder): Promise<PlacedOrder>;
  /** Another adapter of the same shop, as a restarted process would make it. */
  restart?(): Promise<StoreAdapter>;
  /** What can go wrong between adapter and shop. */
  readonly network?: StoreHarnessNetwork;
  /** Gives back what the shop holds open; called after every rule. */
  close?(): Promise<void>;

  readonly unsupported?: Readonly<Partial<Record<Capability, string>>>;
};

/** Direct looks: at the shop's own tables or API, never through the adapter. */
export type StoreHarnessProbe = {
  /** The payment that the shop shows on the order, null when it shows none of ours. */
  paidBy(placed: PlacedOrder): Promise<string | null>;
  /** How many times the order was marked paid: stock movements, captures, shipments. */
  timesPaid(placed: PlacedOrder): Promise<number>;
  /** What the owner sees of an order that needs a look, one text a hold. */
  holds(placed: PlacedOrder): Promise<readonly string[]>;
  /** Needed when the adapter has `note`. */
  notes?(placed: PlacedOrder): Promise<readonly string[]>;
  /** Needed when the adapter has `recordRefund`: how many refunds the shop shows. */
  timesRefunded?(placed: PlacedOrder): Promise<number>;
};

export type StoreHarnessNetwork = {
  /** The shop answers nothing, or 503, while `work` runs. */
  whileDown(work: () => Promise<void>): Promise<void>;
  /** The connection breaks at the next write, before the shop did it or after. */
  loseNextAnswer(when: "before-effect" | "after-effect"): Promise<void>;
  /** The next write reaches the shop only after `ms`, long after its caller gave up. */
  delayNextWrite(ms: number): Promise<void>;
  /** Lets time pass: a clock moved by hand, or a real wait. */
  advanceTime(ms: number): Promise<void>;
};

/**
 * What a rule may need. `readBack`: the shop can be read, so the adapter sees what happens behind its back; `titles` and
 * `languages`: an order carries the title and the language it was placed with.
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
  "markPending",
  "markRefused",
  "recordRefund",
  "addNote",
  "listUnsettled",
] as const;

export type Capability = (typeof CAPABILITIES)[number];

/** Why a shop lacks an ability, null when it has it. Throws when the harness neither gives it nor says why. */
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
      return currenciesOf(harness).includes(capability) ? null : `this shop does not sell in ${capability}`;
    case "conditionalWrites":
      return harness.adapter.writes.kind === "conditional" ? null : "this platform has no conditional write";
    case "markPending":
    case "markRefused":
    case "recordRefund":
    case "addNote":
    case "listUnsettled":
      return harness.adapter[capability] === undefined ? `the adapter has no ${capability}` : null;
    default:
      if (harness[capability] !== undefined) return null;
      throw new Error(`The harness has no "${capability}": give it, or say in "without" why this shop cannot do it.`);
  }
}

export function currenciesOf(harness: StoreAdapterHarness): readonly [string, ...string[]] {
  return harness.currencies ?? ["XOF", "USD"];
}
