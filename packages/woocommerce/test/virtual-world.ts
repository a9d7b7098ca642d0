import {
  createEngine,
  createMemoryLedger,
  type Engine,
  type Ledger,
  type Log,
  type LogFields,
  type Payment,
  runDue,
  type Service,
  type SessionReading,
  startCheckout,
} from "@tillkit/core";
import { createManualClock, createProcessLife, createSeededRandom, type ManualClock } from "@tillkit/testkit";
import { createFakeWooCommerce, type FakeWooCommerce, type OrderWish, type ShopOrder } from "@tillkit/woocommerce/fake";
import { onTestFinished } from "vitest";
import { createWooShop, type SettleBy } from "../src/adapter/woo-shop.ts";
import { createWooCommerceAdapter } from "../src/adapter/woocommerce-adapter.ts";
import { LINK_SECRET } from "./woo-harness.ts";

const STORE_ID = "boutique";
/** Real time for each virtual second: longer than a request over the loopback takes. */
const REAL_MS = 12;

/** The engine and a fake shop over HTTP, in virtual time, with a service that says what it is told to. */
export type VirtualWorld = {
  readonly clock: ManualClock;
  readonly fake: FakeWooCommerce;
  readonly ledger: Ledger;
  readonly log: readonly { readonly message: string; readonly fields: LogFields }[];
  engine(): Engine;
  /** The process dies where it stands, requests under way go on, and a new one starts. */
  kill(): void;
  openOrder(wish?: Partial<OrderWish>): Promise<{ order: ShopOrder; payment: Payment }>;
  /** The shopper paid this on the hosted page. */
  pay(payment: Payment): void;
  payment(payment: Payment): Promise<Payment>;
  /** Time passes, with a round of the worker each second. */
  run(seconds: number): Promise<void>;
};

export async function openVirtualWorld(settleBy: SettleBy): Promise<VirtualWorld> {
  const clock = createManualClock(Date.UTC(2026, 2, 1, 10));
  const plugin = { companionUrl: "https://pay.example", storeId: STORE_ID, linkSecret: LINK_SECRET };
  const fake = await createFakeWooCommerce({ clock, ...(settleBy === "rest" ? {} : { plugin }) });
  onTestFinished(fake.close);
  const ledger = createMemoryLedger();
  const paid = new Set<string>();
  const log: { message: string; fields: LogFields }[] = [];
  const random = createSeededRandom(1);
  let life = createProcessLife();
  let engine = start();

  function start(): Engine {
    const shop = createWooShop({
      ...fake,
      storeId: STORE_ID,
      linkSecret: LINK_SECRET,
      environment: "test",
      settleBy,
      clock,
    });
    const adapter = life.hold(createWooCommerceAdapter(shop));
    return createEngine({
      ledger: life.hold<Ledger>(ledger),
      tenants: {
        credentialFor: async () => ({ id: "key", account: null }),
        service: async () => pretendService(paid, clock),
        endpoint: async () => null,
      },
      store: async () => adapter,
      clock: life.hold(clock),
      random,
      log: logInto(log),
      referenceKeys: ["a key of the tests, long enough to sign with"],
      returnUrls: () => ({ success: "https://pay.example/return", cancel: "https://pay.example/cancel" }),
    });
  }

  const world: VirtualWorld = {
    clock,
    fake,
    ledger,
    log,
    engine: () => engine,
    kill() {
      life.end();
      life = createProcessLife();
      engine = start();
    },
    async openOrder(wish = {}) {
      const order = fake.shop.placeOrder({ total: "5000", ...wish });
      const store = await engine.store(STORE_ID);
      const found = await store.findOrder({ storeId: STORE_ID, orderId: String(order.id) }, "");
      if (!found) throw new Error(`The shop does not show order ${order.id}.`);
      const started = await startCheckout(engine, found);
      if (started.status !== "redirect") throw new Error(`The shopper was not sent to pay: ${started.status}.`);
      return { order, payment: await find(started.paymentId) };
    },
    pay: ({ session }) => {
      paid.add(session?.id ?? "");
    },
    payment: ({ id }) => find(id),
    async run(seconds) {
      for (let second = 0; second < seconds; second += 1) {
        void runDue(engine).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, REAL_MS));
        await clock.advance(1_000);
      }
      await new Promise((resolve) => setTimeout(resolve, REAL_MS));
    },
  };

  async function find(id: string): Promise<Payment> {
    const payment = await ledger.find({ id });
    if (!payment) throw new Error(`There is no payment ${id}.`);
    return payment;
  }

  return world;
}

function pretendService(paid: ReadonlySet<string>, clock: ManualClock): Service {
  async function readSession({
    session,
    wireAmount,
    amountDue,
    reference,
    environment,
  }: Payment): Promise<SessionReading> {
    const id = session?.id ?? "";
    const status = paid.has(id) ? "completed" : "open";
    const transactionId = paid.has(id) ? `tx_${id}` : undefined;
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
      throw new Error("Nobody gives money back here.");
    },
    readRefunds: async () => [],
    readTransaction: async () => null,
    listTransactions: async function* none() {
      yield* [];
    },
  };
}

function logInto(lines: { message: string; fields: LogFields }[]): Log {
  const write = (message: string, fields: LogFields = {}) => void lines.push({ message, fields });
  return { info: write, warn: write, error: write };
}
