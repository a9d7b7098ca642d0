import {
  confirmPayment,
  createEngine,
  type Engine,
  type LogFields,
  type Money,
  type Payment,
  type PaymentLedger,
  receiveWebhook,
  runDue,
  type StoreAdapter,
  startCheckout,
  verifyPayment,
  type WebhookAnswer,
} from "@tillkit/core";
import type { Service } from "@tillkit/core/hosts";
import type { Records } from "@tillkit/core/ledger";
import { createMemoryLedger } from "@tillkit/core/memory";
import { openLedger } from "@tillkit/ledger";
import {
  type Authorize,
  type CallbackStore,
  createCallbackStore,
  createKillableProcess,
  createManualClock,
  createReadThenWriteStore,
  createSeededRandom,
  createWriteOnlyStore,
  type ManualClock,
  type PlacedOrder,
  type ReadThenWriteStore,
  type WriteOnlyStore,
} from "@tillkit/testkit";
import { onTestFinished } from "vitest";
import { createFakeService, type FakeService, SECRET, type SignedEvent } from "./fake-service.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export const FIVE_THOUSAND: Money = { minor: 5_000, currency: "XOF" };

/** The kinds of ledger. Every scenario with a crash runs on both. */
export const LEDGERS = ["memory", "SQLite"] as const;

/** The kinds of platform: over REST like WooCommerce, calling us back like Medusa, or without reads like Shopify. */
type Stores = {
  readonly "read-then-write": ReadThenWriteStore;
  readonly callback: CallbackStore;
  readonly "write-only": WriteOnlyStore;
};
type Ledger = PaymentLedger & { readonly records: Records; close(): Promise<void> };

/** One shop, the real engine and the service in virtual time, with a process that can be killed. */
export type ScenarioFixture<Kind extends keyof Stores = keyof Stores> = {
  readonly clock: ManualClock;
  readonly ledger: PaymentLedger;
  readonly service: FakeService;
  readonly store: Stores[Kind];
  readonly otherStore: ReadThenWriteStore | null;
  readonly log: readonly { readonly message: string; readonly fields: LogFields }[];
  /** The current engine; `crash` replaces it. */
  engine(): Engine;
  placeOrder(total?: Money): Promise<PlacedOrder>;
  /** The shopper starts the checkout and is sent to the hosted page. */
  startCheckout(placed: PlacedOrder): Promise<Payment>;
  payment(paymentId: string): Promise<Payment>;
  deliver(event: SignedEvent): Promise<WebhookAnswer>;
  /** Confirms the payment as the webhook's job does. */
  confirm(payment: Payment): ReturnType<typeof confirmPayment>;
  /** Advances the time and runs the due jobs every second, also while an earlier run still waits for the clock. */
  run(ms: number): Promise<void>;
  /** Advances the time from one due job to the next, for hours and days. */
  advanceTime(ms: number): Promise<void>;
  /** Kills the process and starts another with the same or a new configuration. Requests in flight continue. */
  crash(configured?: { readonly origin: string }): void;
};

export type FixtureOptions = {
  readonly ledger?: (typeof LEDGERS)[number];
  readonly wrapAdapter?: (adapter: StoreAdapter) => StoreAdapter;
  /** Wraps the call by which a callback shop asks us whether the payment has arrived. */
  readonly wrapAuthorize?: (ask: Authorize) => Authorize;
  /** Replaces the engine's connection to the service. */
  readonly connectService?: (fakeService: FakeService, clock: ManualClock) => Service;
  /** The service's Member Account (`acct_…`) that the sessions are opened for. */
  readonly account?: string;
  /** Another shop on the same API key. */
  readonly otherStore?: (clock: ManualClock) => ReadThenWriteStore;
};

export async function openFixture<Kind extends keyof Stores>(
  kind: Kind,
  options: FixtureOptions = {},
): Promise<ScenarioFixture<Kind>> {
  const clock = createManualClock(Date.UTC(2026, 2, 1, 10));
  const ledger = options.ledger === "SQLite" ? await openLedger("sqlite::memory:") : createMemoryLedger();
  onTestFinished(() => ledger.close());
  const service = createFakeService(clock);
  const { wrapAuthorize = (ask) => ask, account = null } = options;
  const otherStore = options.otherStore?.(clock) ?? null;
  const port = options.connectService?.(service, clock) ?? service.port;
  const store = openStore(
    kind,
    clock,
    ledger,
    wrapAuthorize((id) => verifyPayment(engine, id)),
  );
  const log: { message: string; fields: LogFields }[] = [];
  const write = (message: string, fields: LogFields = {}) => void log.push({ message, fields });
  const random = createSeededRandom(1);
  let process = createKillableProcess();
  let engine = startProcess();

  function startProcess(origin = "https://checkout.example"): Engine {
    const adapter = process.wrap(options.wrapAdapter ? options.wrapAdapter(store.connect()) : store.connect());
    return createEngine({
      ledger: process.wrap<Ledger>(ledger),
      tenants: {
        credentialFor: async () => ({ id: "key", account }),
        service: async () => process.wrap(port),
        endpoint: async (id) =>
          id === "main" ? { secrets: [SECRET], credentialIds: ["key"], environment: "test" } : null,
      },
      store: async (storeId) => (otherStore?.storeId === storeId ? otherStore.adapter : adapter),
      clock: process.wrap(clock),
      random,
      log: { info: write, warn: write, error: write },
      referenceKeys: ["a key of the scenarios, long enough to sign with"],
      returnUrls: ({ id }) => ({ success: `${origin}/return/${id}`, cancel: `${origin}/cancel/${id}` }),
    });
  }

  const fixture: ScenarioFixture<Kind> = {
    otherStore,
    clock,
    ledger,
    service,
    store,
    log,
    engine: () => engine,
    placeOrder: (total = FIVE_THOUSAND) => store.placeOrder({ total, title: "Two baskets", language: "fr" }),
    async startCheckout({ ref, attempt }) {
      const order = await store.adapter.findOrder(ref, attempt);
      if (!order) throw new Error(`The shop has no order ${ref.orderId}.`);
      const start = await startCheckout(engine, order);
      if (start.status !== "redirect") throw new Error(`The shopper was not sent to pay: ${start.status}.`);
      if (store.kind === "callback") store.attachPayment(ref.orderId, start.paymentId);
      return await fixture.payment(start.paymentId);
    },
    async payment(id) {
      const found = await ledger.find({ id });
      if (!found) throw new Error(`There is no payment ${id}.`);
      return found;
    },
    deliver: (event) => receiveWebhook(engine, event),
    confirm: ({ id }) => confirmPayment(engine, id, { actor: "webhook" }),
    async run(ms) {
      for (const end = clock.now() + ms; clock.now() < end; ) {
        void runDue(engine);
        await clock.advance(Math.min(SECOND, end - clock.now()));
      }
    },
    async advanceTime(ms) {
      for (const end = clock.now() + ms; clock.now() < end; ) {
        const due = (await ledger.nextDueAt()) ?? end;
        await clock.advance(Math.max(1, Math.min(due, end) - clock.now()));
        while (isBusy(await runDue(engine))) await clock.advance(0);
      }
    },
    crash(configured) {
      process.kill();
      process = createKillableProcess();
      engine = startProcess(configured?.origin);
    },
  };
  return fixture;
}

/** Returns the only payment of the order in this state, and fails the test when there is none or several. */
export async function expectPaymentIn(
  fixture: ScenarioFixture,
  { ref }: PlacedOrder,
  state: Payment["state"],
): Promise<Payment> {
  const all = await fixture.ledger.paymentsOfOrder(ref);
  const found = all.filter((payment) => payment.state === state);
  const [payment] = found;
  if (payment && found.length === 1) return payment;
  throw new Error(`Expected one ${state} payment, found: ${all.map((payment) => payment.state).join(", ") || "none"}.`);
}

function openStore<Kind extends keyof Stores>(
  kind: Kind,
  clock: ManualClock,
  { records }: Ledger,
  authorize: Authorize,
): Stores[Kind] {
  const open: { readonly [Key in keyof Stores]: () => Stores[Key] } = {
    "read-then-write": () => createReadThenWriteStore({ clock }),
    callback: () => createCallbackStore({ clock, authorize }),
    "write-only": () => createWriteOnlyStore({ clock, records }),
  };
  return open[kind]();
}

function isBusy({ done, retried, dead }: { done: number; retried: number; dead: number }): boolean {
  return done + retried + dead > 0;
}
