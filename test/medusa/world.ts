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
import { ENDPOINT_ID, environmentOf, LOGIN } from "./environment.ts";
import { createOwner, type Owner } from "./owner.ts";
import { createShopper, type Shopper } from "./shop.ts";

/** The payment service, a Medusa with the packed plugin, its owner and its shoppers. */
export type World = {
  readonly sandbox: Sandbox;
  readonly shopper: Shopper;
  readonly owner: Owner;
  readonly storefrontUrl: string;
  readonly webhookUrl: string;
  /** What nobody outside may ever see. */
  readonly secrets: readonly string[];
  /** Everything the server has printed since it was started last. */
  log(): string;
  stop(): Promise<void>;
  /** Pulls the plug. */
  kill(): Promise<void>;
  /** Plugs it in again, maybe with other settings. */
  restart(settings?: MedusaEnvironment): Promise<void>;
  /** While they are off the service tells the shop nothing, not even later. */
  webhooks(state: "on" | "off"): Promise<void>;
  /** A webhook as the service sends it, or as somebody sends it who does not know the secret. */
  send(
    letter: string,
    options?: { readonly secret?: string; readonly to?: string },
  ): Promise<{ readonly status: number; readonly ms: number }>;
  sql<Row extends object>(text: string): Promise<readonly Row[]>;
  close(): Promise<void>;
};

const WEBHOOK_ROUTE = `/tillkit/webhooks/${ENDPOINT_ID}`;
/** For whoever wants to know why a test failed. */
const RESULTS = "test-results/medusa";

export async function openWorld(): Promise<World> {
  const { folder, databaseUrl } = inject("store");
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
  const environment = environmentOf({ databaseUrl, url, storefrontUrl, apiKey, baseUrl: sandbox.baseUrl, secret });
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
    async webhooks(state) {
      await service.webhooks.update(id, { is_active: state === "on" });
    },
    async send(letter, { secret: signedWith = secret, to = WEBHOOK_ROUTE } = {}) {
      const body = Buffer.from(letter);
      const startedAt = performance.now();
      const headers = { "content-type": "application/json", "x-service-signature": signWebhook(body, signedWith) };
      const { status } = await fetch(url + to, { method: "POST", headers, body });
      return { status, ms: performance.now() - startedAt };
    },
    sql: async <Row extends object>(text: string) => (await database.query(text)).rows as Row[],
    async close() {
      await closeStorefront(storefront);
      await medusa.stop();
      await mkdir(RESULTS, { recursive: true });
      await writeFile(join(RESULTS, "medusa.log"), medusa.log());
      await database.end();
      await sandbox.close();
    },
  };
}
