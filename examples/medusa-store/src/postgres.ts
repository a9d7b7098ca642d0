import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, chown, mkdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";
import { installPostgres } from "./install-postgres.ts";

const run = promisify(execFile);

export type Postgres = {
  url(database: string): string;
  createDatabase(name: string): Promise<void>;
  hasDatabase(name: string): Promise<boolean>;
  stop(): Promise<void>;
};

export type PostgresOptions = {
  readonly dataFolder: string;
  /** The installed store. It contains the driver, and PostgreSQL is installed into it when the machine has none. */
  readonly storeFolder: string;
  /** Does not wait for the disk, and deletes the data when it stops. */
  readonly temporary?: boolean;
};

/** Starts a separate PostgreSQL on a free port of this machine. */
export async function startPostgres({
  dataFolder,
  storeFolder,
  temporary = false,
}: PostgresOptions): Promise<Postgres> {
  const bin = findInstalledPrograms() ?? (await installPostgres(storeFolder));
  const data = join(dataFolder, "data");
  const runAs = await databaseUser(dataFolder);
  if (!existsSync(join(data, "PG_VERSION"))) {
    await run(join(bin, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"], runAs);
  }
  const port = await freePort();
  const options = `${temporary ? "-F " : ""}-p ${port} -k "" -c listen_addresses=127.0.0.1 -c max_connections=200`;
  const control = (...parameters: string[]) => run(join(bin, "pg_ctl"), ["-D", data, "-w", ...parameters], runAs);
  await control("-l", join(dataFolder, "log"), "-o", options, "start");
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const connection = await connect(storeFolder, url("postgres"));
  return {
    url,
    async createDatabase(name) {
      await connection.query(`create database "${name}"`);
    },
    async hasDatabase(name) {
      const { rows } = await connection.query(`select 1 from pg_database where datname = '${name}'`);
      return rows.length === 1;
    },
    async stop() {
      await connection.end();
      await control("-m", temporary ? "immediate" : "fast", "stop");
      if (temporary) await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/** Debian installs PostgreSQL outside the PATH, in one folder per version. */
function findInstalledPrograms(): string | null {
  if (process.env.TILLKIT_POSTGRES === "embedded") return null;
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((left, right) => Number(right) - Number(left)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env.PATH ?? "").split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "pg_ctl"))) ?? null;
}

export type Connection = { query(sql: string): Promise<{ rows: object[] }>; end(): Promise<void> };
type Driver = { Client: new (url: string) => Connection & { connect(): Promise<void> } };

/** Connects with Medusa's own driver. */
export async function connect(store: string, url: string): Promise<Connection> {
  const { Client } = createRequire(join(store, "package.json"))("pg") as Driver;
  const client = new Client(url);
  await client.connect();
  return client;
}

/** PostgreSQL does not run as root. For root, another user owns the folder and runs the server. */
async function databaseUser(folder: string): Promise<{ uid?: number; gid?: number }> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  if (process.getuid?.() !== 0) return {};
  const user = await findUser("postgres").catch(() => findUser("nobody"));
  await chown(folder, user.uid, user.gid);
  return user;
}

async function findUser(name: string): Promise<{ uid: number; gid: number }> {
  const number = async (flag: string) => Number((await run("id", [flag, name])).stdout);
  return { uid: await number("-u"), gid: await number("-g") };
}
