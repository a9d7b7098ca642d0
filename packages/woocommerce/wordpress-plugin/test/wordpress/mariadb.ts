import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { environment } from "./programs.ts";

const run = promisify(execFile);

export type MariaDb = {
  /** The path of the socket. The user is `root`, without a password. */
  readonly socket: string;
  stop(): Promise<void>;
};

/** Starts a MariaDB that keeps its data until it is stopped, reachable by its socket only. */
export async function startMariaDb(): Promise<MariaDb> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-mariadb-"));
  const data = join(folder, "data");
  const socket = join(folder, "socket");
  const user = `--user=${userInfo().username}`;
  await run("mariadb-install-db", [
    "--no-defaults",
    user,
    `--datadir=${data}`,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
  ]);
  const options = ["--skip-networking", "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=64M"];
  const server = spawn("mariadbd", ["--no-defaults", user, `--datadir=${data}`, `--socket=${socket}`, ...options], {
    stdio: "ignore",
    env: environment,
  });
  const exited = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  await waitUntilReady(socket);
  return {
    socket,
    async stop() {
      server.kill("SIGKILL");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs SQL as the database's own client does. */
export async function runSql(socket: string, sql: string): Promise<string> {
  const { stdout } = await run("mariadb", ["--no-defaults", "-u", "root", `--socket=${socket}`, "-N", "-e", sql]);
  return stdout;
}

/** Copies a database as hosts do that make a staging site: by a dump. */
export async function copyDatabase(socket: string, from: string, to: string): Promise<void> {
  await runSql(socket, `create database ${to}`);
  const client = `--no-defaults -u root --socket=${socket}`;
  await run("sh", ["-c", `mariadb-dump ${client} ${from} | mariadb ${client} ${to}`]);
}

async function waitUntilReady(socket: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const ready = await runSql(socket, "select 1").then(
      () => true,
      () => false,
    );
    if (ready) return;
    await sleep(100);
  }
  throw new Error("MariaDB did not answer within twenty seconds.");
}
