import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createServiceClient } from "@tillkit/client";
import type { Clock, Ledger, Log, LogFields, Payment } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import {
  createFakeWooCommerce,
  type FakeWooCommerce,
  type OrderInput,
  type ShopOrder,
} from "@tillkit/fake-woocommerce";
import { signCall } from "@tillkit/php-bridge";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { createWooCommerceServer, type WooCommerceConfigInput, type WooCommerceServer } from "@tillkit/woocommerce";
import { onTestFinished } from "vitest";

export const STORE_ID = "boutique";
export const LINK_SECRET = "a link secret of the tests, never of a real shop";
const KEY = "a key of the tests that signs links, never of a real host";

export type ListedConfig = Extract<WooCommerceConfigInput, { stores: object }>;
export type StoreInput = ListedConfig["stores"][number];

export type FixtureOptions = {
  readonly config?: Partial<ListedConfig>;
  readonly store?: Partial<StoreInput>;
  readonly fake?: Parameters<typeof createFakeWooCommerce>[0];
  readonly ledger?: Ledger;
  /** True by default. Without the timer the checkout server does not run due jobs, and tests trigger the work. */
  readonly timer?: boolean;
  /** The clock of the checkout server. */
  readonly clock?: Clock;
};

/** A fake shop, the sandbox of the service and a checkout server, over HTTP in real time. */
export type ServerFixture = {
  readonly fake: FakeWooCommerce;
  readonly sandbox: Sandbox;
  readonly ledger: Ledger;
  readonly url: string;
  readonly config: ListedConfig;
  readonly log: readonly { readonly level: string; readonly message: string; readonly fields: LogFields }[];
  server(): WooCommerceServer;
  /** Stops the checkout server and starts another one with the same ledger. */
  restart(): Promise<void>;
  /** Requests the pay link of an order, without following the redirect to the hosted page. */
  follow(order: ShopOrder | string): Promise<Response>;
  /** Places an order and opens its hosted page. */
  openOrder(input?: Partial<OrderInput>): Promise<{ order: ShopOrder; payment: Payment }>;
  payment(orderId: number): Promise<Payment>;
  payments(orderId: number): Promise<readonly Payment[]>;
  pay(payment: Payment): Promise<void>;
  /** Sends a call signed as the plugin signs it. */
  call(
    purpose: "refund" | "status" | "check" | "decide" | "health" | "preview" | "export" | "erase" | "installation",
    body: object,
    options?: CallOptions,
  ): Promise<CallResult>;
};

/** `secret` signs the call, by default the shop's own. `offsetSeconds`: how far the shop's clock is ahead of the real time. */
export type CallOptions = { readonly secret?: string; readonly offsetSeconds?: number };
export type CallResult = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

export async function openServerFixture(options: FixtureOptions = {}): Promise<ServerFixture> {
  const sandbox = await createSandbox();
  const httpServer = createServer();
  await new Promise<void>((resolve) => httpServer.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(httpServer.address() as AddressInfo).port}`;
  const plugin = { checkoutServerUrl: url, storeId: STORE_ID, linkSecret: LINK_SECRET };
  const fake = await createFakeWooCommerce({ plugin, ...options.fake });
  const webhookSecret = await registerWebhook(sandbox, `${url}/hooks/service/${STORE_ID}`);
  const ledger = options.ledger ?? createMemoryLedger();
  const log: { level: string; message: string; fields: LogFields }[] = [];
  const config: ListedConfig = {
    publicUrl: url,
    database: "sqlite::memory:",
    keys: [KEY],
    service: { baseUrl: sandbox.baseUrl },
    ...options.config,
    stores: [
      {
        id: STORE_ID,
        url: fake.url,
        name: "Chez Awa",
        consumerKey: fake.consumerKey,
        consumerSecret: fake.consumerSecret,
        linkSecret: LINK_SECRET,
        apiKey: sandbox.keys.test.secret,
        webhookSecrets: [webhookSecret],
        currencies: ["XOF"],
        ...options.store,
      },
    ],
  };
  let server = await startServer();

  async function startServer(): Promise<WooCommerceServer> {
    const started = await createWooCommerceServer(config, {
      ...{ ledger, log: memoryLog(log) },
      ...(options.clock ? { clock: options.clock } : {}),
    });
    // After a restart the same address leads to the new checkout server.
    httpServer.removeAllListeners("request").on("request", started.listener);
    if (options.timer !== false) started.start();
    return started;
  }

  onTestFinished(async () => {
    await server.close();
    await closeServer(httpServer);
    await fake.close();
    await sandbox.close();
  });

  const fixture: ServerFixture = {
    fake,
    sandbox,
    ledger,
    url,
    config,
    log,
    server: () => server,
    async restart() {
      await server.close();
      server = await startServer();
    },
    follow: (order) =>
      fetch(typeof order === "string" ? order : fake.payLink(order.id), {
        redirect: "manual",
        headers: { "Accept-Language": "en" },
      }),
    async openOrder(input = {}) {
      const order = fake.shop.placeOrder({ total: "5000", ...input });
      const answer = await fixture.follow(order);
      if (answer.status !== 303) throw new Error(`The pay link was answered ${answer.status}.`);
      return { order, payment: await fixture.payment(order.id) };
    },
    async payment(orderId) {
      const payment = (await fixture.payments(orderId)).at(-1);
      if (!payment) throw new Error(`Order ${orderId} has no payment.`);
      return payment;
    },
    payments: (orderId) => ledger.paymentsOfOrder({ storeId: STORE_ID, orderId: String(orderId) }),
    async pay({ session }) {
      await sandbox.control.paySession(session?.id ?? "", { method: "card", outcome: "completed" });
    },
    async call(purpose, body, { secret = LINK_SECRET, offsetSeconds = 0 } = {}) {
      const bytes = Buffer.from(JSON.stringify({ site: fake.url, ...body }));
      const time = String(Math.floor(Date.now() / 1_000) + offsetSeconds);
      const headers = signCall({ purpose, store: STORE_ID, time, body: bytes }, secret);
      const answer = await fetch(`${url}/bridge/v1/${purpose}`, { method: "POST", headers, body: bytes });
      return { status: answer.status, body: (await answer.json()) as CallResult["body"] };
    },
  };
  return fixture;
}

async function registerWebhook({ keys, baseUrl }: Sandbox, url: string): Promise<string> {
  const client = createServiceClient({ apiKey: keys.test.secret, baseUrl });
  const events = [
    "PAYMENT_CREATED",
    "PAYMENT_SUCCEEDED",
    "PAYMENT_FAILED",
    "REFUND_COMPLETED",
    "REFUND_FAILED",
  ] as const;
  const { data } = await client.webhooks.create({ url, authorized_events: [...events] });
  return data.secret ?? "";
}

function memoryLog(lines: { level: string; message: string; fields: LogFields }[]): Log {
  const writeAt =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      void lines.push({ level, message, fields });
  return { info: writeAt("info"), warn: writeAt("warn"), error: writeAt("error") };
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
