import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createServiceClient } from "@tillkit/client";
import { signWebhook } from "@tillkit/client/webhooks";
import { freePort } from "@tillkit/example-medusa-store/free-port";
import { type MedusaEnvironment, type MedusaServer, startMedusa } from "@tillkit/example-medusa-store/medusa-server";
import { connect } from "@tillkit/example-medusa-store/postgres";
import { closeStorefront, serveStorefront } from "@tillkit/example-medusa-store/serve-storefront";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { inject } from "vitest";
import { createEnvironment, ENDPOINT_ID, LOGIN } from "./environment.ts";
import { createOwner, type Owner } from "./owner.ts";
import { createShopper, type Shopper } from "./shopper.ts";

/** The payment service's sandbox, a Medusa with the packed plugin, its owner and a shopper. */
export type Fixture = {
  readonly sandbox: Sandbox;
  readonly shopper: Shopper;
  readonly owner: Owner;
  readonly storefrontUrl: string;
  readonly webhookUrl: string;
  /** Values that no response to a shopper may contain. */
  readonly secrets: readonly string[];
  /** Medusa's output since its last start. */
  log(): string;
  stop(): Promise<void>;
  /** Ends the process without a shutdown, as a power failure would. */
  kill(): Promise<void>;
  /** Starts Medusa again, with changed settings if given. */
  restart(settings?: MedusaEnvironment): Promise<void>;
  /** While webhooks are off, the service sends no webhook. It does not send the missed webhooks later. */
  setWebhooks(state: "on" | "off"): Promise<void>;
  /** Sends a webhook as the service does, or signed with another secret. */
  sendWebhook(
    payload: string,
    options?: { readonly secret?: string; readonly to?: string },
  ): Promise<{ readonly status: number; readonly ms: number }>;
  sql<Row extends object>(text: string): Promise<readonly Row[]>;
  close(): Promise<void>;
};

const WEBHOOK_ROUTE = `/tillkit/webhooks/${ENDPOINT_ID}`;
/** Medusa's log is written here, for finding out why a test failed. */
const RESULTS_FOLDER = "test-results/medusa";

/** An installed store, and a database with Medusa's tables and products. */
export type PreparedStore = { readonly folder: string; readonly databaseUrl: string };

/** @param store the store of all tests, unless another one is named */
export async function openFixture(store: PreparedStore = inject("store")): Promise<Fixture> {
  const { folder, databaseUrl } = store;
  const sandbox = await createSandbox({ settings: { ratePolicy: "off" } });
  const apiKey = sandbox.keys.test.secret;
  const service = createServiceClient({ apiKey, baseUrl: sandbox.baseUrl });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const webhookUrl = url + WEBHOOK_ROUTE;
  const { data: endpoint } = await service.webhooks.create({
    url: webhookUrl,
    authorized_events: ["PAYMENT_CREATED", "PAYMENT_SUCCEEDED", "PAYMENT_FAILED", "REFUND_COMPLETED", "REFUND_FAILED"],
  });
  const { id = "", secret = "" } = endpoint;
  const storefrontPort = await freePort();
  const storefrontUrl = `http://127.0.0.1:${storefrontPort}`;
  const environment = createEnvironment({ databaseUrl, url, storefrontUrl, apiKey, baseUrl: sandbox.baseUrl, secret });
  const database = await connect(folder, databaseUrl);
  let medusa: MedusaServer = await startMedusa(folder, environment, port);
  const owner = await createOwner(() => url, LOGIN);
  const publishableKey = await owner.publishableKey();
  const shopper = await createShopper(() => url, publishableKey);
  const settings = { medusaUrl: url, publishableKey };
  const storefront = await serveStorefront({ port: storefrontPort, store: folder, settings });

  return {
    sandbox,
    shopper,
    owner,
    storefrontUrl,
    webhookUrl,
    secrets: [apiKey, secret, environment.TILLKIT_KEYS ?? ""],
    log: () => medusa.log(),
    stop: () => medusa.stop(),
    kill: () => medusa.kill(),
    async restart(settings = {}) {
      medusa = await startMedusa(folder, { ...environment, ...settings }, port);
    },
    async setWebhooks(state) {
      await service.webhooks.update(id, { is_active: state === "on" });
    },
    async sendWebhook(payload, { secret: signingSecret = secret, to = WEBHOOK_ROUTE } = {}) {
      const body = Buffer.from(payload);
      const startedAt = performance.now();
      const headers = { "content-type": "application/json", "x-service-signature": signWebhook(body, signingSecret) };
      const { status } = await fetch(url + to, { method: "POST", headers, body });
      return { status, ms: performance.now() - startedAt };
    },
    sql: async <Row extends object>(text: string) => (await database.query(text)).rows as Row[],
    async close() {
      await closeStorefront(storefront);
      await medusa.stop();
      await mkdir(RESULTS_FOLDER, { recursive: true });
      await writeFile(join(RESULTS_FOLDER, "medusa.log"), medusa.log());
      await database.end();
      await sandbox.close();
    },
  };
}
