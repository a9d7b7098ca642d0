import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createServiceClient } from "@tillkit/client";
import { createMemoryLedger, type Ledger, type Log, type LogFields, type Payment } from "@tillkit/core";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { type CompanionConfigInput, createWooCommerceCompanion, type WooCommerceCompanion } from "@tillkit/woocommerce";
import { createFakeWooCommerce, type FakeWooCommerce, type OrderWish, type ShopOrder } from "@tillkit/woocommerce/fake";
import { onTestFinished } from "vitest";
import { signCall } from "../src/protocol/signed-call.ts";

export const STORE_ID = "boutique";
export const LINK_SECRET = "a link secret of the tests, never of a real shop";
const KEY = "a key of the tests that signs links, never of a real host";

export type StoreInput = CompanionConfigInput["stores"][number];

export type WorldOptions = {
  readonly config?: Partial<CompanionConfigInput>;
  readonly store?: Partial<StoreInput>;
  readonly fake?: Parameters<typeof createFakeWooCommerce>[0];
  readonly ledger?: Ledger;
  /** false: nobody works off what is due, unless a test does. */
  readonly timer?: boolean;
};

/** A shop, the service and a companion between them, over HTTP and in real time. */
export type World = {
  readonly fake: FakeWooCommerce;
  readonly sandbox: Sandbox;
  readonly ledger: Ledger;
  readonly url: string;
  readonly config: CompanionConfigInput;
  readonly log: readonly { readonly level: string; readonly message: string; readonly fields: LogFields }[];
  companion(): WooCommerceCompanion;
  /** The companion dies and another one starts on the same ledger. */
  restart(): Promise<void>;
  /** Press "Place order" and follow the pay link, without following what it answers. */
  follow(order: ShopOrder | string): Promise<Response>;
  /** An order whose shopper stands on the hosted page. */
  openOrder(wish?: Partial<OrderWish>): Promise<{ order: ShopOrder; payment: Payment }>;
  payment(orderId: number): Promise<Payment>;
  payments(orderId: number): Promise<readonly Payment[]>;
  pay(payment: Payment): Promise<void>;
  /** A call of the plugin. */
  call(
    purpose: "refund" | "status" | "check" | "health" | "preview",
    body: object,
    more?: CallExtras,
  ): Promise<CallEnd>;
};

export type CallExtras = { readonly secret?: string; readonly offsetSeconds?: number };
export type CallEnd = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

const ROUTES = {
  refund: "/woo/refunds",
  status: "/woo/orders/status",
  check: "/woo/orders/check",
  health: "/woo/health",
  preview: "/woo/preview",
};

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const sandbox = await createSandbox();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const plugin = { companionUrl: url, storeId: STORE_ID, linkSecret: LINK_SECRET };
  const fake = await createFakeWooCommerce({ plugin, ...options.fake });
  const webhookSecret = await registerWebhook(sandbox, `${url}/hooks/service/${STORE_ID}`);
  const ledger = options.ledger ?? createMemoryLedger();
  const log: { level: string; message: string; fields: LogFields }[] = [];
  const config: CompanionConfigInput = {
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
  let companion = await start();

  async function start(): Promise<WooCommerceCompanion> {
    const started = await createWooCommerceCompanion(config, { ledger, log: writeTo(log) });
    server.removeAllListeners("request").on("request", started.listener);
    if (options.timer !== false) started.start();
    return started;
  }

  onTestFinished(async () => {
    await companion.close();
    await closeServer(server);
    await fake.close();
    await sandbox.close();
  });

  const world: World = {
    fake,
    sandbox,
    ledger,
    url,
    config,
    log,
    companion: () => companion,
    async restart() {
      await companion.close();
      companion = await start();
    },
    follow: (order) =>
      fetch(typeof order === "string" ? order : fake.payLink(order.id), {
        redirect: "manual",
        headers: { "Accept-Language": "en" },
      }),
    async openOrder(wish = {}) {
      const order = fake.shop.placeOrder({ total: "5000", ...wish });
      const answer = await world.follow(order);
      if (answer.status !== 303) throw new Error(`The pay link was answered ${answer.status}.`);
      return { order, payment: await world.payment(order.id) };
    },
    async payment(orderId) {
      const payment = (await world.payments(orderId)).at(-1);
      if (!payment) throw new Error(`Nobody began to pay order ${orderId}.`);
      return payment;
    },
    payments: (orderId) => ledger.siblings({ storeId: STORE_ID, orderId: String(orderId) }),
    async pay({ session }) {
      await sandbox.control.paySession(session?.id ?? "", { method: "card", outcome: "completed" });
    },
    async call(purpose, body, { secret = LINK_SECRET, offsetSeconds = 0 } = {}) {
      const bytes = Buffer.from(JSON.stringify(body));
      const time = String(Math.floor(Date.now() / 1_000) + offsetSeconds);
      const headers = signCall({ purpose, store: STORE_ID, time, body: bytes }, secret);
      const answer = await fetch(url + ROUTES[purpose], { method: "POST", headers, body: bytes });
      return { status: answer.status, body: (await answer.json()) as CallEnd["body"] };
    },
  };
  return world;
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

function writeTo(lines: { level: string; message: string; fields: LogFields }[]): Log {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      void lines.push({ level, message, fields });
  return { info: at("info"), warn: at("warn"), error: at("error") };
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
