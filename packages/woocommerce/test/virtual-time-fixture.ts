import {
  createEngine,
  type Engine,
  type Ledger,
  type Log,
  type LogFields,
  type Payment,
  runDue,
  type SessionReading,
  type StoreAdapter,
  startCheckout,
} from "@tillkit/core";
import type { Service } from "@tillkit/core/hosts";
import { createMemoryLedger } from "@tillkit/core/memory";
import {
  createFakeWooCommerce,
  type FakeWooCommerce,
  type OrderInput,
  type ShopOrder,
} from "@tillkit/fake-woocommerce";
import { createKillableProcess, createManualClock, createSeededRandom, type ManualClock } from "@tillkit/testkit";
import { onTestFinished } from "vitest";
import { startOwnTime } from "../../../test/waiting/own-time.ts";
import { createWooCommerceAdapter } from "../src/adapter/woocommerce-adapter.ts";
import { createWooStore, type WriteOrdersBy } from "../src/store/woo-store.ts";
import { LINK_SECRET } from "./adapter-fixture.ts";

const STORE_ID = "boutique";
/** The settings of the plugin in the fake shop. */
export const PLUGIN = { checkoutServerUrl: "https://pay.example", storeId: STORE_ID, linkSecret: LINK_SECRET };
/** The processor time that calls to the shop get in each virtual second, more than a request over the loopback interface needs. */
const OWN_MS_PER_SECOND = 12;
/** A job makes its next call to the shop within fewer turns of the event loop. */
const QUIET_TURNS = 5;

/** The engine and a fake shop over HTTP in virtual time, with a scripted service. */
export type VirtualTimeFixture = {
  readonly clock: ManualClock;
  readonly fake: FakeWooCommerce;
  readonly ledger: Ledger;
  readonly log: readonly { readonly message: string; readonly fields: LogFields }[];
  engine(): Engine;
  /** Kills the process and starts a new one. Requests in flight continue. */
  kill(): void;
  openOrder(input?: Partial<OrderInput>): Promise<{ order: ShopOrder; payment: Payment }>;
  /** Marks the session paid at the service. */
  pay(payment: Payment): void;
  payment(payment: Payment): Promise<Payment>;
  /** Advances the clock and runs due jobs once a second. */
  runForSeconds(seconds: number): Promise<void>;
};

export async function openVirtualTimeFixture(writeOrdersBy: WriteOrdersBy): Promise<VirtualTimeFixture> {
  const clock = createManualClock(Date.UTC(2026, 2, 1, 10));
  const fake = await createFakeWooCommerce({ clock, ...(writeOrdersBy === "rest" ? {} : { plugin: PLUGIN }) });
  onTestFinished(fake.close);
  const ledger = createMemoryLedger();
  const paidSessions = new Set<string>();
  const log: { message: string; fields: LogFields }[] = [];
  const random = createSeededRandom(1);
  let serverProcess = createKillableProcess();
  let calls = { underWay: 0 };
  let engine = startEngine();

  function startEngine(): Engine {
    const shop = createWooStore({
      ...fake,
      storeId: STORE_ID,
      linkSecret: LINK_SECRET,
      environment: "test",
      writeOrdersBy,
      clock,
    });
    const adapter = serverProcess.wrap(countCalls(createWooCommerceAdapter(shop), calls));
    return createEngine({
      ledger: serverProcess.wrap<Ledger>(ledger),
      tenants: {
        credentialFor: async () => ({ id: "key", account: null }),
        service: async () => fakeService(paidSessions, clock),
        endpoint: async () => null,
      },
      store: async () => adapter,
      clock: serverProcess.wrap(clock),
      random,
      log: memoryLog(log),
      referenceKeys: ["a key of the tests, long enough to sign with"],
      returnUrls: () => ({ success: "https://pay.example/return", cancel: "https://pay.example/cancel" }),
    });
  }

  const fixture: VirtualTimeFixture = {
    clock,
    fake,
    ledger,
    log,
    engine: () => engine,
    kill() {
      serverProcess.kill();
      calls = { underWay: 0 };
      serverProcess = createKillableProcess();
      engine = startEngine();
    },
    async openOrder(input = {}) {
      const order = fake.shop.placeOrder({ total: "5000", ...input });
      const store = await engine.store(STORE_ID);
      const orderToPay = await store.findOrder({ storeId: STORE_ID, orderId: String(order.id) }, "");
      if (!orderToPay) throw new Error(`The shop does not show order ${order.id}.`);
      const started = await startCheckout(engine, orderToPay);
      if (started.status !== "redirect")
        throw new Error(`The checkout did not redirect the shopper: ${started.status}.`);
      return { order, payment: await find(started.paymentId) };
    },
    pay: ({ session }) => {
      paidSessions.add(session?.id ?? "");
    },
    payment: ({ id }) => find(id),
    async runForSeconds(seconds) {
      for (let second = 0; second < seconds; second += 1) {
        void runDue(engine).catch(() => undefined);
        await passRealTime();
        await clock.advance(1_000);
      }
      await passRealTime();
    },
  };

  /** Waits while calls to the shop are under way, which need no virtual time unless the shop delays them. */
  async function passRealTime(): Promise<void> {
    const ownTime = startOwnTime();
    for (let quietTurns = 0; quietTurns < QUIET_TURNS && ownTime() < OWN_MS_PER_SECOND; ) {
      await new Promise((resolve) => setImmediate(resolve));
      quietTurns = calls.underWay === 0 ? quietTurns + 1 : 0;
    }
  }

  async function find(id: string): Promise<Payment> {
    const payment = await ledger.find({ id });
    if (!payment) throw new Error(`There is no payment ${id}.`);
    return payment;
  }

  return fixture;
}

/** Counts the calls of the adapter that have not returned. */
function countCalls(adapter: StoreAdapter, calls: { underWay: number }): StoreAdapter {
  return new Proxy(adapter, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...input: unknown[]) => {
        const answer = Reflect.apply(member, target, input);
        if (!(answer instanceof Promise)) return answer;
        calls.underWay += 1;
        return answer.finally(() => {
          calls.underWay -= 1;
        });
      };
    },
  });
}

function fakeService(paidSessions: ReadonlySet<string>, clock: ManualClock): Service {
  async function readSession({
    session,
    wireAmount,
    amountDue,
    reference,
    environment,
  }: Payment): Promise<SessionReading> {
    const id = session?.id ?? "";
    const status = paidSessions.has(id) ? "completed" : "open";
    const transactionId = paidSessions.has(id) ? `tx_${id}` : undefined;
    return { id, status, wireAmount, currency: amountDue.currency, reference, environment, transactionId };
  }
  return {
    openSession: async ({ key }) => ({
      id: `cs_${key.slice(0, 8)}`,
      url: `https://checkout.example/${key}`,
      expiresAt: clock.now() + 3_600_000,
    }),
    readSession,
    refund: async () => {
      throw new Error("This service makes no refunds.");
    },
    readRefunds: async () => ({ refunds: [], unassigned: [], elsewhere: [], isComplete: true }),
    readTransaction: async () => null,
    async *listDeliveredEvents() {},
    listTransactions: async function* none() {
      yield* [];
    },
  };
}

function memoryLog(lines: { message: string; fields: LogFields }[]): Log {
  const write = (message: string, fields: LogFields = {}) => void lines.push({ message, fields });
  return { info: write, warn: write, error: write };
}
