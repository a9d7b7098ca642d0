import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createServiceClient } from "@tillkit/client";
import { CHECKOUT_EVENTS } from "@tillkit/client/webhooks";
import { freePort } from "@tillkit/example-medusa-store/free-port";
import type { ReportProgress } from "@tillkit/example-medusa-store/install-plugin";
import { startPostgres } from "@tillkit/example-medusa-store/postgres";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { installStore, workFolder } from "./install-store.ts";
import { closeStorefront, serveStorefront } from "./serve-storefront.ts";
import { seed, startVendure, type VendureEnvironment } from "./vendure-server.ts";

export type RunningStore = {
  /** The folder with the store, its database and the sandbox's data. */
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly vendureUrl: string;
  readonly storefrontUrl: string;
  readonly password: string;
  readonly operatorToken: string;
  close(): Promise<void>;
};

/** Values that stay the same across starts, so that links, keys and sessions remain valid. */
type SavedState = {
  readonly vendurePort: number;
  readonly storefrontPort: number;
  readonly sandboxPort: number;
  readonly secret: string;
  readonly password: string;
  readonly operatorToken: string;
  /** The secrets of the two webhooks by endpoint id. The service shows each secret only once. */
  readonly webhookSecrets: Readonly<Record<string, string>>;
};

const DATABASE = "store";
type Close = () => Promise<unknown>;

/** Opens the store. When a step fails, the open parts are closed: a database that was left running would refuse the next start. */
export async function openStore(reportProgress: ReportProgress): Promise<RunningStore> {
  const opened: Close[] = [];
  try {
    return await openAll(reportProgress, opened);
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

async function closeAll(opened: readonly Close[]): Promise<void> {
  for (const close of opened.toReversed()) await close();
}

async function openAll(reportProgress: ReportProgress, opened: Close[]): Promise<RunningStore> {
  const storeFolder = await installStore(reportProgress);
  const saved = await loadState();
  const sandbox = await createSandbox({ port: saved.sandboxPort, data: join(workFolder, "sandbox") });
  opened.push(() => sandbox.close());
  const postgres = await startPostgres({ dataFolder: join(workFolder, "database"), storeFolder });
  opened.push(() => postgres.stop());
  const vendureUrl = `http://127.0.0.1:${saved.vendurePort}`;
  const storefrontUrl = `http://127.0.0.1:${saved.storefrontPort}`;
  const webhookSecrets = await registerWebhooks(sandbox, vendureUrl, saved);
  const environment: VendureEnvironment = {
    DATABASE_URL: postgres.url(DATABASE),
    VENDURE_URL: vendureUrl,
    STOREFRONT_URL: storefrontUrl,
    COOKIE_SECRET: saved.secret,
    OWNER_PASSWORD: saved.password,
    TILLKIT_API_KEY: sandbox.keys.test.secret,
    TILLKIT_BASE_URL: sandbox.baseUrl,
    TILLKIT_KEYS: saved.secret,
    TILLKIT_OPERATOR_TOKEN: saved.operatorToken,
    TILLKIT_WEBHOOK_SECRETS_CI: webhookSecrets.ci ?? "",
    TILLKIT_WEBHOOK_SECRETS_US: webhookSecrets.us ?? "",
  };
  if (!(await postgres.hasDatabase(DATABASE))) {
    reportProgress("Creating Vendure's tables, products and channels");
    await postgres.createDatabase(DATABASE);
    await seed(storeFolder, environment);
  }
  reportProgress("Starting Vendure");
  const vendure = await startVendure(storeFolder, environment);
  opened.push(() => vendure.stop());
  const storefront = await serveStorefront({ port: saved.storefrontPort, vendureUrl });
  opened.push(() => closeStorefront(storefront));
  const { password, operatorToken } = saved;
  const close = () => closeAll(opened);
  return { folder: workFolder, sandbox, vendureUrl, storefrontUrl, password, operatorToken, close };
}

async function registerWebhooks(
  sandbox: Sandbox,
  vendureUrl: string,
  saved: SavedState,
): Promise<SavedState["webhookSecrets"]> {
  if (saved.webhookSecrets.ci !== undefined) return saved.webhookSecrets;
  const service = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
  const webhookSecrets: Record<string, string> = {};
  for (const shop of ["ci", "us"]) {
    const url = `${vendureUrl}/tillkit/hooks/service/${shop}`;
    const { data } = await service.webhooks.create({ url, authorized_events: [...CHECKOUT_EVENTS] });
    webhookSecrets[shop] = data.secret ?? "";
  }
  await saveState({ ...saved, webhookSecrets });
  return webhookSecrets;
}

async function loadState(): Promise<SavedState> {
  const saved = JSON.parse(await readFile(join(workFolder, "state.json"), "utf8").catch(() => "{}"));
  const { secret, password, operatorToken, webhookSecrets } = saved as Partial<SavedState>;
  const vendurePort = await freePort(saved.vendurePort ?? 3000);
  const state: SavedState = {
    vendurePort,
    storefrontPort: await freePort(saved.storefrontPort ?? 8000),
    sandboxPort: await freePort(saved.sandboxPort ?? 4010),
    secret: secret ?? randomBytes(32).toString("hex"),
    password: password ?? randomBytes(9).toString("base64url"),
    operatorToken: operatorToken ?? randomBytes(32).toString("hex"),
    // The URL of a webhook contains Vendure's port, so another port needs other webhooks.
    webhookSecrets: vendurePort === saved.vendurePort ? (webhookSecrets ?? {}) : {},
  };
  await saveState(state);
  return state;
}

async function saveState(state: SavedState): Promise<void> {
  await mkdir(workFolder, { recursive: true });
  // The file contains keys, so only this user may read it.
  await writeFile(join(workFolder, "state.json"), `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
}
