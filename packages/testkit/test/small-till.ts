import {
  confirmPayment,
  createEngine,
  createMemoryLedger,
  type Engine,
  type Payment,
  runDue,
  type StoreAdapter,
  silentLog,
  startCheckout,
  verifyPayment,
} from "@tillkit/core";
import {
  type AskingStore,
  type BlindStore,
  createAskingStore,
  createBlindStore,
  createManualClock,
  createProcessLife,
  createSeededRandom,
  createTellOnlyStore,
  type PlacedOrder,
  type TellOnlyStore,
} from "@tillkit/testkit";
import { createPretendService } from "./pretend-service.ts";

export const KINDS = ["asking", "blind", "tell-only"] as const;

/** A miniature store with the real engine in front of it, in virtual time. */
export function openSmallTill(
  kind: (typeof KINDS)[number],
  adapt: (adapter: StoreAdapter) => StoreAdapter = (adapter) => adapter,
) {
  const clock = createManualClock();
  const ledger = createMemoryLedger();
  const random = createSeededRandom(1);
  const service = createPretendService(clock);
  const store = openStore();
  let life = createProcessLife();
  let engine = startEngine();

  function openStore(): AskingStore | BlindStore | TellOnlyStore {
    if (kind === "blind") return createBlindStore({ clock });
    if (kind === "tell-only") return createTellOnlyStore({ clock, records: ledger.records });
    return createAskingStore({ clock, authorize: (paymentId) => verifyPayment(engine, paymentId) });
  }

  function startEngine(): Engine {
    const adapter = life.hold(adapt(store.connect()));
    return createEngine({
      ledger: life.hold(ledger),
      tenants: service.tenants,
      store: async () => adapter,
      clock: life.hold(clock),
      random,
      log: silentLog,
      referenceKeys: ["a key of the tests, long enough for all"],
      returnUrls: () => ({ success: "https://till.example/return", cancel: "https://till.example/cancel" }),
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
    /** The process dies where it stands and another one starts; requests that are under way go on. */
    kill: () => {
      life.end();
      life = createProcessLife();
      engine = startEngine();
    },
    /** The shopper presses Pay. */
    start: async ({ ref, attempt }: PlacedOrder): Promise<Payment> => {
      const order = await store.adapter.findOrder(ref, attempt);
      if (!order) throw new Error("The order must be there.");
      const start = await startCheckout(engine, order);
      if (start.status !== "redirect") throw new Error(`Expected a redirect, got ${start.status}.`);
      if (store.kind === "asking") store.keepPayment(ref.orderId, start.paymentId);
      return await find(start.paymentId);
    },
    confirm: ({ id }: Payment) => confirmPayment(engine, id, { actor: "webhook" }),
    /** Lets time pass with the worker at work, one round a second. */
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
