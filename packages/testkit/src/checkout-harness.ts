import { createServiceClient } from "@tillkit/client";
import {
  createEngine,
  type Engine,
  type Payment,
  type PaymentLedger,
  receiveWebhook,
  runDue,
  silentLog,
  startCheckout,
  systemClock,
  verifyPayment,
} from "@tillkit/core";
import { createTenants } from "@tillkit/core/hosts";
import type { Records } from "@tillkit/core/ledger";
import { createMemoryLedger } from "@tillkit/core/memory";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { createKillableProcess } from "./killable-process.ts";
import { createManualClock, type ManualClock } from "./manual-clock.ts";
import { createSeededRandom } from "./seeded-random.ts";
import type { OpenStore, StorePorts, StoreUnderTest } from "./store-under-test.ts";
import { type CallbackStore, createCallbackStore } from "./stores/callback/callback-store.ts";
import { type MiniatureStore, type PlacedOrder, withoutWrapping } from "./stores/miniature-store.ts";
import { createReadThenWriteStore, type ReadThenWriteStore } from "./stores/read-then-write/read-then-write-store.ts";
import { createWriteOnlyStore, type WriteOnlyStore } from "./stores/write-only/write-only-store.ts";
import { listenForWebhooks } from "./webhook-listener.ts";

export type CheckoutHarnessOptions<Store> = {
  /** A miniature store, or a function that opens a store of your own. */
  readonly store: Store;
  /** The harness does not close a ledger that it was given. A memory ledger by default. */
  readonly ledger?: PaymentLedger & { readonly records: Records };
};

/** A store, the engine and the sandbox, connected over HTTP, in one process and in virtual time. */
export type CheckoutHarness<Store extends StoreUnderTest = MiniatureStores[MiniatureStore["kind"]]> = {
  readonly clock: ManualClock;
  /** The store as it was opened, with all its methods. */
  readonly store: Store;
  readonly ledger: PaymentLedger;
  /** `sandbox.control` pays, fails and expires sessions and controls the webhooks. */
  readonly sandbox: Sandbox;
  /** The address to which the sandbox delivers its webhooks. */
  readonly webhookUrl: string;
  /** The current engine; `killAndRestart` replaces it. */
  engine(): Engine;
  /** The shopper starts the checkout. Returns the payment with its open session. */
  startCheckout(placed: PlacedOrder): Promise<Payment>;
  payment(paymentId: string): Promise<Payment>;
  /** Runs due jobs and receives webhooks until `done` returns true. @throws Error after a minute */
  runUntil(done: () => Promise<boolean>): Promise<void>;
  /** Advances the clock of store, engine and sandbox together and runs the jobs that become due. */
  advanceTime(ms: number): Promise<void>;
  /** Kills the process and starts another. Its memory is lost; requests in flight continue. */
  killAndRestart(): void;
  close(): Promise<void>;
};

type MiniatureStores = {
  readonly callback: CallbackStore;
  readonly "read-then-write": ReadThenWriteStore;
  readonly "write-only": WriteOnlyStore;
};

const ENDPOINT_ID = "harness";
const REFERENCE_KEY = "reference key of the checkout harness, for tests only";
/**
 * How many pauses of `PAUSE_MS` `runDueJobs` waits for a run. A run that does not wait for the clock takes less. Pauses are counted and not
 * measured, because on a busy machine they get longer as the run does.
 */
const RUN_PAUSES = 50;
const PAUSE_MS = 5;
/** How long `runUntil` waits in real time. It only ends what would never end: a busy machine may be slow. */
const TIMEOUT_MS = 60_000;

/** Connects a miniature store of this kind, or a store of your own, with the engine and the sandbox. */
export async function createCheckoutHarness<Kind extends MiniatureStore["kind"]>(
  options: CheckoutHarnessOptions<Kind>,
): Promise<CheckoutHarness<MiniatureStores[Kind]>>;
export async function createCheckoutHarness<Store extends StoreUnderTest>(
  options: CheckoutHarnessOptions<OpenStore<Store>>,
): Promise<CheckoutHarness<Store>>;
export async function createCheckoutHarness({
  store: chosen,
  ledger = createMemoryLedger(),
}: CheckoutHarnessOptions<MiniatureStore["kind"] | OpenStore>): Promise<CheckoutHarness<StoreUnderTest>> {
  const clock = createManualClock();
  const sandbox = await createSandbox({ clock });
  const listener = await listenForWebhooks(ENDPOINT_ID, (webhook) => receiveWebhook(engine, webhook));
  const ports = {
    clock,
    records: ledger.records,
    authorize: (paymentId: string) => verifyPayment(engine, paymentId),
  };
  const store: StoreUnderTest = typeof chosen === "function" ? await chosen(ports) : openMiniature[chosen](ports);
  const shopAdapter = store.connect(withoutWrapping);
  const tenants = createTenants({
    credentials: [await registerAtService(sandbox, store.storeId, listener.url)],
    clock,
    // Calls end in real time, but until when a refund may be sent is compared with the clock that stored its request.
    createClient: ({ apiKey, baseUrl }) =>
      createServiceClient({ apiKey, baseUrl, clock: { ...systemClock, now: clock.now } }),
  });
  const random = createSeededRandom(1);
  let process = createKillableProcess();
  let engine = startEngine();

  function startEngine(): Engine {
    const adapter = process.wrap(store.connect(withoutWrapping));
    return createEngine({
      ledger: process.wrap(ledger),
      tenants,
      store: async () => adapter,
      clock: process.wrap(clock),
      random,
      log: silentLog,
      referenceKeys: [REFERENCE_KEY],
      returnUrls: ({ id }) => ({
        success: `https://checkout.example/return/${id}`,
        cancel: `https://checkout.example/cancel/${id}`,
      }),
    });
  }

  async function payment(paymentId: string): Promise<Payment> {
    const found = await ledger.find({ id: paymentId });
    if (!found) throw new Error(`The ledger has no payment ${paymentId}.`);
    return found;
  }

  async function startCheckoutOf({ ref, attempt }: PlacedOrder): Promise<Payment> {
    const order = await shopAdapter.findOrder(ref, attempt);
    if (!order) throw new Error(`The store has no order ${ref.orderId}.`);
    const start = await startCheckout(engine, order);
    if (start.status !== "redirect") throw new Error(`The shopper was not sent to pay: ${start.status}.`);
    store.attachPayment?.(ref.orderId, start.paymentId);
    return await payment(start.paymentId);
  }

  /** Runs due jobs until none is left. Returns early if a run waits for the clock: that run continues when the clock advances. */
  async function runDueJobs(): Promise<void> {
    for (;;) {
      const result = await Promise.race([runDue(engine), pause(RUN_PAUSES)]);
      const isWaitingForClock = !result;
      if (isWaitingForClock || result.done + result.retried + result.dead === 0) return;
    }
  }

  async function runUntil(done: () => Promise<boolean>): Promise<void> {
    const giveUpAt = Date.now() + TIMEOUT_MS;
    while (!(await done())) {
      if (Date.now() > giveUpAt) throw new Error("The expected state was not reached within a minute.");
      await runDueJobs();
      await wait(2);
    }
  }

  async function advanceTime(ms: number): Promise<void> {
    const end = clock.now() + ms;
    while (clock.now() < end) {
      const next = Math.min(end, (await ledger.nextDueAt()) ?? end, clock.nextWakeAt() ?? end);
      await clock.advance(Math.max(1, next - clock.now()));
      // The sandbox uses the same clock. A call of advanceClock makes the sandbox perform what is due.
      await sandbox.control.advanceClock(0);
      await runDueJobs();
    }
  }

  return {
    clock,
    store,
    ledger,
    sandbox,
    webhookUrl: listener.url,
    engine: () => engine,
    startCheckout: startCheckoutOf,
    payment,
    runUntil,
    advanceTime,
    killAndRestart: () => {
      process.kill();
      process = createKillableProcess();
      engine = startEngine();
    },
    close: async () => {
      await listener.close();
      await sandbox.close();
    },
  };
}

const openMiniature: { [Kind in keyof MiniatureStores]: (ports: StorePorts) => MiniatureStores[Kind] } = {
  callback: createCallbackStore,
  "read-then-write": createReadThenWriteStore,
  "write-only": createWriteOnlyStore,
};

async function registerAtService({ baseUrl, keys }: Sandbox, storeId: string, url: string) {
  const apiKey = keys.test.secret;
  const client = createServiceClient({ apiKey, baseUrl });
  const { data } = await client.webhooks.create({ url, authorized_events: ["PAYMENT_SUCCEEDED", "PAYMENT_FAILED"] });
  return { storeIds: [storeId], apiKey, baseUrl, endpointId: ENDPOINT_ID, webhookSecrets: [data.secret ?? ""] };
}

async function pause(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await wait(PAUSE_MS);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
