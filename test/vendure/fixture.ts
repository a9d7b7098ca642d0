import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createServiceClient, type ServiceClient } from "@tillkit/client";
import { CHECKOUT_EVENTS, signWebhook } from "@tillkit/client/webhooks";
import { freePort } from "@tillkit/example-medusa-store/free-port";
import { connect } from "@tillkit/example-medusa-store/postgres";
import { startVendure, type VendureEnvironment } from "@tillkit/example-vendure-store/vendure-server";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { inject } from "vitest";
import { createEnvironment, SHOPS, type ShopName } from "./environment.ts";
import { createOwner, type Owner } from "./owner.ts";
import { createProbe, type Probe } from "./probe.ts";
import { createRemoteAdapter } from "./remote-adapter.ts";
import { createShopper, readVariants, type Shopper, type StartedPayment, type Variants } from "./shopper.ts";

/** An installed store, a database with Vendure's tables and products, and the plugin that the tests add. */
export type PreparedStore = { readonly folder: string; readonly databaseUrl: string; readonly otherPlugin: string };

export type Sql = <Row extends object = object>(text: string) => Promise<readonly Row[]>;

/** The payment service's sandbox, a Vendure with the packed plugin, its owner and its shoppers. */
export type Fixture = {
  readonly sandbox: Sandbox;
  /** A client of the service, independent of the plugin. */
  readonly service: ServiceClient;
  readonly probe: Probe;
  readonly sql: Sql;
  readonly url: string;
  /** Values that no response to a shopper may contain. */
  readonly secrets: readonly string[];
  owner(shop?: ShopName): Promise<Owner>;
  newShopper(shop?: ShopName): Shopper;
  /** While webhooks are off, the service sends no webhook. It does not send the missed webhooks later. */
  setWebhooks(state: "on" | "off"): Promise<void>;
  /** Pays on the hosted page; no webhook is sent while `webhook` is "lost". */
  pay(started: StartedPayment, webhook?: "lost"): Promise<void>;
  /** The body of the webhook that the service sends for a paid session. */
  webhookBody(checkoutId: string): Promise<string>;
  /** Sends a webhook as the service does, or signed with another secret. @returns the response's status */
  sendWebhook(body: string, options?: { readonly secret?: string; readonly shop?: ShopName }): Promise<number>;
  /**
   * The shopper's browser opens the link that leads back from the hosted page, in `pages` tabs at once.
   * @returns the status of each response
   */
  returnToShop(orderCode: string, pages?: number): Promise<readonly number[]>;
  readonly variants: Variants;
  /** Calls an action of the plugin that the tests add. */
  callTestPlugin<Value>(action: string, body: unknown): Promise<Value>;
  /** The adapter inside the running Vendure. */
  adapter(options?: Parameters<typeof createRemoteAdapter>[1]): ReturnType<typeof createRemoteAdapter>;
  log(): string;
  stop(): Promise<void>;
  /** Ends the process without a shutdown, as a power failure would. */
  kill(): Promise<void>;
  restart(settings?: VendureEnvironment): Promise<void>;
  close(): Promise<void>;
};

/** Vendure's log is written here, for finding out why a test failed. */
const RESULTS_FOLDER = "test-results/vendure";

export async function openFixture(name: string, store: PreparedStore = inject("vendureStore")): Promise<Fixture> {
  const { folder, databaseUrl, otherPlugin } = store;
  const sandbox = await createSandbox({ settings: { ratePolicy: "off" } });
  const apiKey = sandbox.keys.test.secret;
  const service = createServiceClient({ apiKey, baseUrl: sandbox.baseUrl });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const endpoints = await Promise.all(SHOPS.map((shop) => registerWebhook(service, webhookUrl(url, shop))));
  const secretOf = (shop: ShopName) => endpoints[SHOPS.indexOf(shop)]?.secret ?? "";
  const secrets = { ci: secretOf("ci"), us: secretOf("us") };
  const environment = createEnvironment({
    databaseUrl,
    url,
    apiKey,
    secrets,
    otherPlugin,
    baseUrl: sandbox.baseUrl,
  });
  const database = await connect(folder, databaseUrl);
  const sql: Sql = async <Row extends object>(text: string) => (await database.query(text)).rows as Row[];
  let vendure = await startVendure(folder, environment);
  const variants = await readVariants(url);

  async function returnLink(orderCode: string): Promise<string> {
    const [row] = await sql<{ request: string }>(
      `select request from tillkit.tillkit_payments where order_id = '${orderCode}' order by created_at desc limit 1`,
    );
    return (JSON.parse(row?.request ?? "{}") as { success_url: string }).success_url;
  }

  async function sessionOf(orderCode: string): Promise<string> {
    const [row] = await sql<{ session_id: string }>(
      `select session_id from tillkit.tillkit_payments where order_id = '${orderCode}' order by created_at desc limit 1`,
    );
    return row?.session_id ?? "";
  }

  async function setWebhooks(state: "on" | "off"): Promise<void> {
    await Promise.all(endpoints.map(({ id }) => service.webhooks.update(id, { is_active: state === "on" })));
  }

  async function callTestPlugin<Value>(action: string, body: unknown): Promise<Value> {
    const answer = await fetch(`${url}/test/${action}`, { method: "POST", body: JSON.stringify(body) });
    const { value, code, message } = (await answer.json()) as { value: Value; code?: string; message?: string };
    if (answer.ok) return value;
    throw Object.assign(new Error(message), code ? { code } : {});
  }

  return {
    sandbox,
    service,
    sql,
    url,
    setWebhooks,
    variants,
    probe: createProbe(sql),
    secrets: [apiKey, secrets.ci, secrets.us, environment.TILLKIT_KEYS ?? ""],
    owner: (shop) => createOwner(url, shop),
    newShopper: (shop = "ci") => createShopper({ url, shop, variants, sessionOf }),
    async pay({ checkoutId }, webhook) {
      if (webhook === "lost") await setWebhooks("off");
      await sandbox.control.paySession(checkoutId, { method: "card", outcome: "completed" });
      if (webhook === "lost") await setWebhooks("on");
    },
    async webhookBody(checkoutId) {
      const events = await sandbox.control.listEvents({ sessionId: checkoutId });
      const found = events.find(({ event }) => event === "PAYMENT_SUCCEEDED");
      if (!found) throw new Error("The service has no PAYMENT_SUCCEEDED of this session.");
      const { id, event, created_at, data } = found;
      return JSON.stringify({ id, event, timestamp: created_at, data, service_environment: "development" });
    },
    async sendWebhook(text, { shop = "ci", secret = secretOf(shop) } = {}) {
      const body = Buffer.from(text);
      const headers = { "content-type": "application/json", "x-service-signature": signWebhook(body, secret) };
      return (await fetch(webhookUrl(url, shop), { method: "POST", headers, body })).status;
    },
    async returnToShop(orderCode, pages = 1) {
      const link = await returnLink(orderCode);
      const answers = Array.from({ length: pages }, () => fetch(link, { redirect: "manual" }));
      return (await Promise.all(answers)).map(({ status }) => status);
    },
    callTestPlugin,
    adapter: (options) => createRemoteAdapter(callTestPlugin, options),
    log: () => vendure.log(),
    stop: () => vendure.stop(),
    kill: () => vendure.kill(),
    async restart(settings = {}) {
      vendure = await startVendure(folder, { ...environment, ...settings });
    },
    async close() {
      await vendure.stop();
      await mkdir(RESULTS_FOLDER, { recursive: true });
      await writeFile(join(RESULTS_FOLDER, `${name}.log`), vendure.log());
      await database.end();
      await sandbox.close();
    },
  };
}

function webhookUrl(url: string, shop: ShopName): string {
  return `${url}/tillkit/hooks/service/${shop}`;
}

async function registerWebhook(service: ServiceClient, url: string): Promise<{ id: string; secret: string }> {
  const { data } = await service.webhooks.create({ url, authorized_events: [...CHECKOUT_EVENTS] });
  return { id: data.id ?? "", secret: data.secret ?? "" };
}
