import { createServiceClient } from "@tillkit/client";
import { type Language, type Payment, runDue, silentLog } from "@tillkit/core";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import type { TillkitOptions } from "../src/options/options.ts";
import { TillkitPaymentProvider } from "../src/providers/tillkit/index.ts";
import { openTill, type Till } from "../src/till/open-till.ts";
import { agreeOnOptions, closeSharedTill, sharedTill } from "../src/till/shared-till.ts";
import { tillOfMedusa } from "../src/till/till-of-medusa.ts";
import { createFakeMedusa, type FakeMedusa } from "./fake-medusa/fake-medusa.ts";
import type { FakeCart, FakePayment, FakeSession } from "./fake-medusa/shop.ts";

export const WEBHOOK_SECRET = "whsec_of_the_tests_never_of_a_real_shop";

/** A sandbox of the service, a small Medusa, and our provider between them: everything but HTTP to the shop is real. */
export type World = {
  readonly sandbox: Sandbox;
  readonly medusa: FakeMedusa;
  readonly provider: TillkitPaymentProvider;
  readonly options: TillkitOptions;
  till(): Promise<Till>;
  /** A cart with its payment session. */
  beginCheckout(want?: {
    minor?: number;
    currency?: string;
    data?: Record<string, unknown>;
    language?: Language;
  }): Promise<Checkout>;
  /** The shopper pays on the hosted page. */
  pay(session: FakeSession): Promise<void>;
  /** A paid cart that became an order. */
  buy(want?: { minor?: number; currency?: string }): Promise<Checkout & { readonly payment: FakePayment }>;
  /** Works off what is due until `done` says so. Throws after five seconds. */
  workUntil(done: () => Promise<boolean> | boolean): Promise<void>;
  payment(session: FakeSession): Promise<Payment>;
  /** Time passes, and nothing happens in it. */
  later(milliseconds: number): Promise<void>;
  /** What the service gave back, newest first. */
  refundsAtService(): Promise<readonly unknown[]>;
  close(): Promise<void>;
};

export type Checkout = { readonly cart: FakeCart; readonly session: FakeSession };

const PATIENCE_MS = 5_000;

export async function openWorld(change: Partial<TillkitOptions> = {}): Promise<World> {
  const sandbox = await createSandbox();
  const options: TillkitOptions = {
    apiKey: sandbox.keys.test.secret,
    baseUrl: sandbox.baseUrl,
    webhookSecrets: [WEBHOOK_SECRET],
    keys: ["a key of the tests, long enough to sign with"],
    returnUrl: "https://shop.example/return",
    language: "en",
    ...change,
  };
  agreeOnOptions("plugin", options);
  const provider = new TillkitPaymentProvider({}, options);
  const medusa = createFakeMedusa(provider);
  const databaseUrl = "sqlite::memory:";
  // Whoever asks first opens it: the provider finds this one.
  await sharedTill((read) => openTill({ options: read, container: medusa.container, databaseUrl, log: silentLog }));

  async function beginCheckout({
    minor = 2_280,
    currency = "USD",
    data = {},
    language = "en" as Language,
  } = {}): Promise<Checkout> {
    const cart = medusa.shop.placeCart({ total: { minor, currency }, title: "Two baskets", language });
    return { cart, session: await medusa.initiate(cart, data) };
  }

  async function pay({ data }: FakeSession): Promise<void> {
    const method = data.currency_code === "xof" ? "wave" : "card";
    await sandbox.control.paySession(String(data.checkout_session_id), { method, outcome: "completed" });
  }

  return {
    sandbox,
    medusa,
    provider,
    options,
    till: tillOfMedusa,
    beginCheckout,
    pay,
    async buy(want) {
      const checkout = await beginCheckout(want);
      await pay(checkout.session);
      await medusa.completeCart(checkout.cart);
      const payment = medusa.shop.payments.find(({ sessionId }) => sessionId === checkout.session.id);
      if (!payment) throw new Error("Medusa has no payment of this session.");
      return { ...checkout, payment };
    },
    async workUntil(done) {
      const { engine } = await tillOfMedusa();
      for (const end = Date.now() + PATIENCE_MS; !(await done()); ) {
        if (Date.now() > end) throw new Error("Five seconds of work led nowhere.");
        await runDue(engine);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async payment({ id }) {
      const { ledger } = await tillOfMedusa();
      const payment = await ledger.find({ attempt: id, storeId: "medusa" });
      if (!payment) throw new Error(`There is no payment of ${id}.`);
      return payment;
    },
    async later(milliseconds) {
      const { engine } = await tillOfMedusa();
      const { clock } = engine;
      Object.assign(engine, { clock: { ...clock, now: () => clock.now() + milliseconds } });
    },
    async refundsAtService() {
      const client = createServiceClient({ apiKey: options.apiKey, baseUrl: options.baseUrl });
      const found: unknown[] = [];
      for await (const { amount } of client.refunds.list({})) found.push(amount);
      return found;
    },
    async close() {
      await closeSharedTill();
      await sandbox.close();
    },
  };
}
