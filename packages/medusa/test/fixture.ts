import { createServiceClient } from "@tillkit/client";
import { type Language, type LogFields, type Payment, runDue, silentLog } from "@tillkit/core";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { PATIENCE_MS } from "../../../test/waiting/patience.ts";
import type { TillkitOptions } from "../src/options/options.ts";
import { TillkitPaymentProvider } from "../src/providers/tillkit/index.ts";
import { getRuntime } from "../src/runtime/get-runtime.ts";
import { type CheckoutRuntime, openRuntime } from "../src/runtime/open-runtime.ts";
import { closeSharedRuntime, openSharedRuntime, registerOptions } from "../src/runtime/shared-runtime.ts";
import { type AdminRequests, createAdminRequests } from "./admin-requests.ts";
import { createFakeMedusa, type FakeMedusa } from "./fake-medusa/fake-medusa.ts";
import type { FakeBuyer, FakeCart, FakePayment, FakeSession } from "./fake-medusa/tables.ts";

export const WEBHOOK_SECRET = "whsec_of_the_tests_never_of_a_real_shop";

/** The sandbox of the service, a fake Medusa in memory, and our provider between them. Only HTTP to Medusa is missing. */
export type Fixture = {
  readonly sandbox: Sandbox;
  readonly medusa: FakeMedusa;
  readonly provider: TillkitPaymentProvider;
  readonly options: TillkitOptions;
  readonly admin: AdminRequests;
  readonly warnings: readonly { readonly message: string; readonly fields: LogFields | undefined }[];
  runtime(): Promise<CheckoutRuntime>;
  /** A cart with its payment session. `data` is what the storefront sends along; the other fields describe the cart. */
  startCheckout(input?: {
    minor?: number;
    currency?: string;
    data?: Record<string, unknown>;
    language?: Language;
    locale?: string | null;
    country?: string | undefined;
    buyer?: FakeBuyer;
  }): Promise<Checkout>;
  /** The shopper pays on the hosted page. */
  pay(session: FakeSession): Promise<void>;
  /** A paid cart that became an order. */
  placePaidOrder(input?: { minor?: number; currency?: string }): Promise<Checkout & { readonly payment: FakePayment }>;
  /** Runs due jobs until `done` returns true. Throws after `PATIENCE_MS`. */
  runJobsUntil(done: () => Promise<boolean> | boolean): Promise<void>;
  payment(session: FakeSession): Promise<Payment>;
  /** Moves the engine's clock forward without running jobs. */
  advanceClock(milliseconds: number): Promise<void>;
  /** The amounts of the service's refunds, newest first. */
  refundsAtService(): Promise<readonly unknown[]>;
  completedRefundsAtService(): Promise<readonly unknown[]>;
  close(): Promise<void>;
};

export type Checkout = { readonly cart: FakeCart; readonly session: FakeSession };

export async function openFixture(changedOptions: Partial<TillkitOptions> = {}): Promise<Fixture> {
  const sandbox = await createSandbox();
  const options: TillkitOptions = {
    apiKey: sandbox.keys.test.secret,
    service: { baseUrl: sandbox.baseUrl },
    webhookSecrets: [WEBHOOK_SECRET],
    keys: ["a key of the tests, long enough to sign with"],
    returnUrl: "https://shop.example/return",
    language: "en",
    ...changedOptions,
  };
  registerOptions("plugin", options);
  const provider = new TillkitPaymentProvider({}, options);
  const medusa = createFakeMedusa(provider);
  const databaseUrl = "sqlite::memory:";
  const warnings: { message: string; fields: LogFields | undefined }[] = [];
  const log = { ...silentLog, warn: (message: string, fields?: LogFields) => void warnings.push({ message, fields }) };
  // The first call opens the runtime, and the provider then uses it.
  await openSharedRuntime((resolvedOptions) =>
    openRuntime({ options: resolvedOptions, container: medusa.container, databaseUrl, log }),
  );

  async function startCheckout({
    minor = 2_280,
    currency = "USD",
    data = {},
    language = "en" as Language,
    ...shopperFields
  }: Parameters<Fixture["startCheckout"]>[0] = {}): Promise<Checkout> {
    const total = { minor, currency };
    const cart = medusa.tables.addCart({ total, title: "Two baskets", language, ...shopperFields });
    return { cart, session: await medusa.initiate(cart, data) };
  }

  async function pay({ data }: FakeSession): Promise<void> {
    const method = data.currency_code === "xof" ? "wave" : "card";
    await sandbox.control.paySession(String(data.checkout_session_id), { method, outcome: "completed" });
  }

  async function refundsAtService(isCounted: (status: string) => boolean): Promise<unknown[]> {
    const client = createServiceClient({ apiKey: options.apiKey, baseUrl: options.service.baseUrl });
    const amounts: unknown[] = [];
    for await (const { amount, status } of client.refunds.list({})) {
      if (isCounted(String(status))) amounts.push(amount);
    }
    return amounts;
  }

  return {
    sandbox,
    medusa,
    provider,
    options,
    admin: createAdminRequests(getRuntime),
    warnings,
    runtime: getRuntime,
    startCheckout,
    pay,
    async placePaidOrder(input) {
      const checkout = await startCheckout(input);
      await pay(checkout.session);
      await medusa.completeCart(checkout.cart);
      const payment = medusa.tables.payments.find(({ sessionId }) => sessionId === checkout.session.id);
      if (!payment) throw new Error("Medusa has no payment of this session.");
      return { ...checkout, payment };
    },
    async runJobsUntil(done) {
      const { engine } = await getRuntime();
      const giveUpAt = Date.now() + PATIENCE_MS;
      while (!(await done())) {
        if (Date.now() > giveUpAt) throw new Error("The condition was not met after four minutes of running jobs.");
        await runDue(engine);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async payment({ id }) {
      const { ledger } = await getRuntime();
      const payment = await ledger.find({ attempt: id, storeId: "medusa" });
      if (!payment) throw new Error(`There is no payment of ${id}.`);
      return payment;
    },
    async advanceClock(milliseconds) {
      const { engine } = await getRuntime();
      const { clock } = engine;
      Object.assign(engine, { clock: { ...clock, now: () => clock.now() + milliseconds } });
    },
    refundsAtService: () => refundsAtService(() => true),
    completedRefundsAtService: () => refundsAtService((status) => status === "completed"),
    async close() {
      await closeSharedRuntime();
      await sandbox.close();
    },
  };
}
