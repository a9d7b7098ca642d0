import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { freePort } from "./free-port.ts";
import type { ReportProgress } from "./install-plugin.ts";
import { installStore, workFolder } from "./install-store.ts";
import { buildAdmin, type MedusaEnvironment, type MedusaServer, migrate, seed, startMedusa } from "./medusa-server.ts";
import { connect, type Postgres, startPostgres } from "./postgres.ts";
import { closeStorefront, serveStorefront } from "./serve-storefront.ts";

export type RunningStore = {
  /** The folder with the store, its database and the sandbox's data. */
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly medusa: MedusaServer;
  readonly storefrontUrl: string;
  readonly publishableKey: string;
  readonly hasAdmin: boolean;
  readonly login: { readonly email: string; readonly password: string };
  close(): Promise<void>;
};

type Options = { readonly admin: boolean; readonly reportProgress: ReportProgress };

/** Values that stay the same across starts, so that links, keys and sessions remain valid. */
type SavedState = {
  readonly medusaPort: number;
  readonly storefrontPort: number;
  readonly sandboxPort: number;
  readonly secret: string;
  readonly password: string;
};

const OWNER_EMAIL = "owner@example.com";
const DATABASE = "store";

type Close = () => Promise<unknown>;

/** Opens the store. When a step fails, the open parts are closed: a database that was left running would refuse the next start. */
export async function openStore(options: Options): Promise<RunningStore> {
  const opened: Close[] = [];
  try {
    return await openAll(options, opened);
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

/** Closes the open parts, in reverse order. */
async function closeAll(opened: readonly Close[]): Promise<void> {
  for (const close of opened.toReversed()) await close();
}

async function openAll({ admin, reportProgress }: Options, opened: Close[]): Promise<RunningStore> {
  const storeFolder = await installStore(reportProgress);
  const state = await loadSavedState();
  const sandbox = await createSandbox({ port: state.sandboxPort, data: join(workFolder, "sandbox") });
  opened.push(() => sandbox.close());
  const postgres = await startPostgres({ dataFolder: join(workFolder, "database"), storeFolder });
  opened.push(() => postgres.stop());
  const medusaUrl = `http://127.0.0.1:${state.medusaPort}`;
  const storefrontUrl = `http://127.0.0.1:${state.storefrontPort}`;
  const environment: MedusaEnvironment = {
    ADMIN: String(admin),
    DATABASE_URL: postgres.url(DATABASE),
    MEDUSA_URL: medusaUrl,
    STOREFRONT_URL: storefrontUrl,
    JWT_SECRET: state.secret,
    COOKIE_SECRET: state.secret,
    OWNER_EMAIL: OWNER_EMAIL,
    OWNER_PASSWORD: state.password,
    TILLKIT_API_KEY: sandbox.keys.test.secret,
    TILLKIT_BASE_URL: sandbox.baseUrl,
    TILLKIT_DASHBOARD_URL: `${sandbox.consoleUrl}/search?q={transaction}`,
    TILLKIT_KEYS: state.secret,
    // The plugin registers the webhook at its first start and stores the secret.
    TILLKIT_REGISTER_WEBHOOK_AT: medusaUrl,
  };
  await prepareDatabase(storeFolder, postgres, environment, reportProgress);
  if (admin) {
    reportProgress("Building the admin's pages");
    await buildAdmin(storeFolder, environment);
  }
  reportProgress("Starting Medusa");
  const medusa = await startMedusa(storeFolder, environment, state.medusaPort);
  opened.push(() => medusa.stop());
  const publishableKey = await requirePublishableKey(storeFolder, postgres);
  const storefront = await serveStorefront({
    port: state.storefrontPort,
    store: storeFolder,
    settings: { medusaUrl, publishableKey },
  });
  opened.push(() => closeStorefront(storefront));
  return {
    folder: workFolder,
    sandbox,
    medusa,
    storefrontUrl,
    publishableKey,
    hasAdmin: admin,
    login: { email: OWNER_EMAIL, password: state.password },
    close: () => closeAll(opened),
  };
}

async function prepareDatabase(
  storeFolder: string,
  postgres: Postgres,
  environment: MedusaEnvironment,
  reportProgress: ReportProgress,
): Promise<void> {
  const isNew = !(await postgres.hasDatabase(DATABASE));
  if (isNew) await postgres.createDatabase(DATABASE);
  reportProgress("Migrating Medusa's tables");
  await migrate(storeFolder, environment);
  // A missing key means that the store was not filled yet, even if its database exists: an earlier start may have been interrupted.
  if (await findPublishableKey(storeFolder, postgres)) return;
  reportProgress("Adding products");
  await seed(storeFolder, environment);
}

async function requirePublishableKey(storeFolder: string, postgres: Postgres): Promise<string> {
  const key = await findPublishableKey(storeFolder, postgres);
  if (key) return key;
  throw new Error(`The store has no key for its storefront: delete ${join(workFolder, "database")} and start again.`);
}

async function findPublishableKey(storeFolder: string, postgres: Postgres): Promise<string | null> {
  const connection = await connect(storeFolder, postgres.url(DATABASE));
  try {
    const { rows } = await connection.query(
      "select token from api_key where type = 'publishable' and title = 'Storefront'",
    );
    return (rows[0] as { token: string } | undefined)?.token ?? null;
  } finally {
    await connection.end();
  }
}

async function loadSavedState(): Promise<SavedState> {
  const file = join(workFolder, "state.json");
  const saved = JSON.parse(await readFile(file, "utf8").catch(() => "{}")) as Partial<SavedState>;
  const state: SavedState = {
    medusaPort: await freePort(saved.medusaPort ?? 9000),
    storefrontPort: await freePort(saved.storefrontPort ?? 8000),
    sandboxPort: await freePort(saved.sandboxPort ?? 4010),
    secret: saved.secret ?? randomBytes(32).toString("hex"),
    password: saved.password ?? randomBytes(9).toString("base64url"),
  };
  await mkdir(workFolder, { recursive: true });
  // The file contains keys, so only this user may read it.
  await writeFile(file, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  return state;
}
