import type { Clock, StoreAdapter } from "@tillkit/core";
import type { Records } from "@tillkit/core/ledger";
import type { StoreHarnessProbe } from "./store-adapter-contract/harness.ts";
import type { Authorize } from "./stores/callback/callback-shop.ts";
import type { OrderInput, PlacedOrder, WrapPort } from "./stores/miniature-store.ts";

/** What a store under test may use. Everything follows the virtual time of the run. */
export type StorePorts = {
  readonly clock: Clock;
  /** The store's own records in our ledger, for platforms that post their orders to us. */
  readonly records: Records;
  /** Asks the engine whether a payment arrived, for platforms that call us before they complete an order. */
  readonly authorize: Authorize;
};

/** Opens a new, empty store. */
export type OpenStore<Store extends StoreUnderTest = StoreUnderTest> = (ports: StorePorts) => Store | Promise<Store>;

/** A store with the adapter of its author. The store can have further methods: a harness returns the store with all its methods. */
export type StoreUnderTest = {
  readonly storeId: string;
  /**
   * Creates another adapter of the same store, as a restarted process would. Pass the object through which the adapter calls the
   * shop to `wrap`, so that requests to the shop can be slow, lost or late: `createMyAdapter(wrap(shop, { reads: ["findOrder"] }))`.
   * All methods of this object return promises. `reads` names its methods that change nothing.
   */
  connect(wrap: WrapPort): StoreAdapter;
  placeOrder(input: OrderInput): Promise<PlacedOrder>;
  /** Only for platforms that store the payment's id when the shopper starts to pay. */
  attachPayment?(orderId: string, paymentId: string): void;
};

/** A store for a simulation, which also needs the actions of the owner and probes that read the shop directly. */
export type SimulatableStore = StoreUnderTest & {
  readonly probe: StoreHarnessProbe;
  /** The currencies that the shop sells in; XOF and USD unless set. */
  readonly currencies?: readonly ["XOF" | "USD" | "EUR", ...("XOF" | "USD" | "EUR")[]];
  /** Changes the order's total and returns the attempt that is payable from then on. Without it, no owner edits an order. */
  editTotal?(placed: PlacedOrder, total: OrderInput["total"]): Promise<PlacedOrder>;
  /** Cancels the order. Without it and `payOutside`, no owner closes an order. */
  makeUnpayable?(placed: PlacedOrder): Promise<void>;
  /** Pays the order outside Tillkit, for example with cash. */
  payOutside?(placed: PlacedOrder): Promise<void>;
  /** Releases the shop's resources after a simulated history. */
  close?(): Promise<void>;
};
