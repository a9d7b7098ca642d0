import {
  confirmPayment,
  createEngine,
  type Engine,
  type Payment,
  runDue,
  type StoreAdapter,
  silentLog,
  startCheckout,
  verifyPayment,
} from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import {
  type CallbackStore,
  createCallbackStore,
  createKillableProcess,
  createManualClock,
  createReadThenWriteStore,
  createSeededRandom,
  createWriteOnlyStore,
  type PlacedOrder,
  type ReadThenWriteStore,
  type WriteOnlyStore,
} from "@tillkit/testkit";
import { createFakeService } from "./fake-service.ts";

export const KINDS = ["callback", "read-then-write", "write-only"] as const;

/** A miniature store with the real engine in virtual time. */
export function openEngineHarness(
  kind: (typeof KINDS)[number],
  adapt: (adapter: StoreAdapter) => StoreAdapter = (adapter) => adapter,
) {
  const clock = createManualClock();
  const ledger = createMemoryLedger();
  const random = createSeededRandom(1);
  const service = createFakeService(clock);
  const store = openStore();
  let serverProcess = createKillableProcess();
  let engine = startEngine();

  function openStore(): CallbackStore | ReadThenWriteStore | WriteOnlyStore {
    if (kind === "read-then-write") return createReadThenWriteStore({ clock });
    if (kind === "write-only") return createWriteOnlyStore({ clock, records: ledger.records });
    return createCallbackStore({ clock, authorize: (paymentId) => verifyPayment(engine, paymentId) });
  }

  function startEngine(): Engine {
    const adapter = serverProcess.wrap(adapt(store.connect()));
    return createEngine({
      ledger: serverProcess.wrap(ledger),
      tenants: service.tenants,
      store: async () => adapter,
      clock: serverProcess.wrap(clock),
      random,
      log: silentLog,
      referenceKeys: ["a key of the tests, long enough for all"],
      returnUrls: () => ({ success: "https://checkout.example/return", cancel: "https://checkout.example/cancel" }),
    });
  }

  async function find(paymentId: string): Promise<Payment> {
    const payment = await ledger.find({ id: paymentId });
    if (!payment) throw new Error(`There is no payment ${paymentId}.`);
    return payment;
  }

  return {
    clock,
    ledger,
    service,
    store,
    find,
    /** Kills the process and starts another. Requests in flight continue. */
    killAndRestart: () => {
      serverProcess.kill();
      serverProcess = createKillableProcess();
      engine = startEngine();
    },
    /** The shopper presses Pay. */
    start: async ({ ref, attempt }: PlacedOrder): Promise<Payment> => {
      const order = await store.adapter.findOrder(ref, attempt);
      if (!order) throw new Error("The store must have the order.");
      const start = await startCheckout(engine, order);
      if (start.status !== "redirect") throw new Error(`Expected a redirect, got ${start.status}.`);
      if (store.kind === "callback") store.attachPayment(ref.orderId, start.paymentId);
      return await find(start.paymentId);
    },
    confirm: ({ id }: Payment) => confirmPayment(engine, id, { actor: "webhook" }),
    /** Advances the time and runs the due jobs once a second. */
    run: async (seconds: number): Promise<void> => {
      const rounds: Promise<unknown>[] = [];
      for (let second = 0; second < seconds; second += 1) {
        rounds.push(runDue(engine));
        await clock.advance(1_000);
      }
      await Promise.all(rounds);
    },
  };
}
