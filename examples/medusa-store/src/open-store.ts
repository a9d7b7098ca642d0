import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { freePort } from "./free-port.ts";
import { home, installStore, type Say } from "./install-store.ts";
import { buildAdmin, type MedusaEnvironment, type MedusaServer, migrate, seed, startMedusa } from "./medusa-server.ts";
import { connect, type Postgres, startPostgres } from "./postgres.ts";
import { closeStorefront, serveStorefront } from "./serve-storefront.ts";

export type RunningStore = {
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly medusa: MedusaServer;
  readonly storefrontUrl: string;
  readonly publishableKey: string;
  readonly hasAdmin: boolean;
  readonly login: { readonly email: string; readonly password: string };
  close(): Promise<void>;
};

type Options = { readonly admin: boolean; readonly say: Say };

/** What stays the same from start to start, so that links, keys and sessions stay valid. */
type Memory = {
  readonly medusaPort: number;
  readonly storefrontPort: number;
  readonly sandboxPort: number;
  readonly secret: string;
  readonly password: string;
};

const OWNER = "owner@example.com";
const DATABASE = "store";

export async function openStore({ admin, say }: Options): Promise<RunningStore> {
  const folder = await installStore(say);
  const memory = await remember();
  const sandbox = await createSandbox({ port: memory.sandboxPort, data: join(home, "sandbox") });
  const postgres = await startPostgres({ folder: join(home, "database"), store: folder });
  const [medusaUrl, storefrontUrl] = [memory.medusaPort, memory.storefrontPort].map(addressOf) as [string, string];
  const environment: MedusaEnvironment = {
    ADMIN: String(admin),
    DATABASE_URL: postgres.url(DATABASE),
    MEDUSA_URL: medusaUrl,
    STOREFRONT_URL: storefrontUrl,
    JWT_SECRET: memory.secret,
    COOKIE_SECRET: memory.secret,
    OWNER_EMAIL: OWNER,
    OWNER_PASSWORD: memory.password,
    TILLKIT_API_KEY: sandbox.keys.test.secret,
    TILLKIT_BASE_URL: sandbox.baseUrl,
    TILLKIT_KEYS: memory.secret,
    // Nobody has registered a webhook: the plugin does it at its first start, and keeps the secret.
    TILLKIT_REGISTER_WEBHOOK_AT: medusaUrl,
  };
  await fill(folder, postgres, environment, say);
  if (admin) {
    say("Building the admin's pages");
    await buildAdmin(folder, environment);
  }
  say("Starting Medusa");
  const medusa = await startMedusa(folder, environment, memory.medusaPort);
  const publishableKey = await publishableKeyIn(folder, postgres);
  const storefront = await serveStorefront({
    port: memory.storefrontPort,
    store: folder,
    settings: { medusaUrl, publishableKey },
  });
  return {
    folder: home,
    sandbox,
    medusa,
    storefrontUrl,
    publishableKey,
    hasAdmin: admin,
    login: { email: OWNER, password: memory.password },
    async close() {
      await closeStorefront(storefront);
      await medusa.stop();
      await postgres.stop();
      await sandbox.close();
    },
  };
}

async function fill(folder: string, postgres: Postgres, environment: MedusaEnvironment, say: Say): Promise<void> {
  const isNew = !(await postgres.hasDatabase(DATABASE));
  if (isNew) await postgres.createDatabase(DATABASE);
  say("Bringing Medusa's tables up to date");
  await migrate(folder, environment);
  // Asked of the tables, not remembered: a first start that was interrupted is finished by the next one.
  if (await storefrontKey(folder, postgres)) return;
  say("Filling the shelves");
  await seed(folder, environment);
}

async function publishableKeyIn(folder: string, postgres: Postgres): Promise<string> {
  const key = await storefrontKey(folder, postgres);
  if (key) return key;
  throw new Error(`The store has no key for its storefront: delete ${join(home, "database")} and start again.`);
}

async function storefrontKey(folder: string, postgres: Postgres): Promise<string | null> {
  const connection = await connect(folder, postgres.url(DATABASE));
  try {
    const { rows } = await connection.query(
      "select token from api_key where type = 'publishable' and title = 'Storefront'",
    );
    return (rows[0] as { token: string } | undefined)?.token ?? null;
  } finally {
    await connection.end();
  }
}

async function remember(): Promise<Memory> {
  const file = join(home, "memory.json");
  const known = JSON.parse(await readFile(file, "utf8").catch(() => "{}")) as Partial<Memory>;
  const memory: Memory = {
    medusaPort: await freePort(known.medusaPort ?? 9000),
    storefrontPort: await freePort(known.storefrontPort ?? 8000),
    sandboxPort: await freePort(known.sandboxPort ?? 4010),
    secret: known.secret ?? randomBytes(32).toString("hex"),
    password: known.password ?? randomBytes(9).toString("base64url"),
  };
  await mkdir(home, { recursive: true });
  // It holds keys: for this user only.
  await writeFile(file, `${JSON.stringify(memory, null, 2)}\n`, { mode: 0o600 });
  return memory;
}

function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
