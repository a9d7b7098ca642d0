import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, chown, copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { serverOwner, serverPrograms } from "../../../test/postgres/postgres-programs.ts";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { readScaleFiles } from "./scale-files.ts";

const run = promisify(execFile);
const programs = serverPrograms();
const skipped = programs === null ? " (skipped: there is no PostgreSQL server on this machine)" : "";
const files = readScaleFiles("woocommerce");
const { primary } = files.compose.services;
const USER = primary.environment.POSTGRES_USER;

/** What the scripts get from the containers. Sockets in a folder of the test stand for the network. */
async function openMachines() {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-standby-"));
  const owner = await serverOwner();
  for (const name of [".", "primary", "standby", "sockets"]) {
    await mkdir(join(folder, name), { recursive: true });
    if (owner) await chown(join(folder, name), owner.uid, owner.gid);
  }
  const sockets = join(folder, "sockets");
  const environment = {
    PATH: [programs ?? "", process.env.PATH].join(delimiter),
    REPLICATION_PASSWORD: "0123456789abcdef",
    POSTGRES_USER: USER,
    POSTGRES_DB: USER,
    PGHOST: sockets,
  };
  // The owner of the servers may not read this clone, for example in the home of root.
  for (const name of ["allow-standby.sh", "follow-primary.sh"]) {
    await copyFile(join(files.folder, "postgres", name), join(folder, name));
    await chmod(join(folder, name), 0o644);
  }
  const servers: ChildProcess[] = [];
  const start = (args: readonly string[], data: string) => {
    const env = { ...environment, PGDATA: join(folder, data) };
    const [program = "", ...rest] = args;
    servers.push(spawn(program, rest, { ...owner, env, cwd: "/", stdio: "ignore" }));
  };
  return {
    sockets,
    /** The options of a server that listens on a socket only. */
    listenOn: (port: number) => ["-k", sockets, "-c", "listen_addresses=", "-c", `port=${port}`],
    start,
    async execute(args: readonly string[], data: string) {
      const env = { ...environment, PGDATA: join(folder, data), ...primary.environment, PGHOST: sockets };
      const secrets = { REPLICATION_PASSWORD: environment.REPLICATION_PASSWORD };
      const [program = "", ...rest] = args;
      return (await run(program, rest, { ...owner, env: { ...env, ...secrets }, cwd: "/" })).stdout;
    },
    async query(port: number, sql: string) {
      const args = ["-h", sockets, "-p", String(port), "-U", USER, "-d", "postgres", "-XAtqc", sql];
      return (await run(join(programs ?? "", "psql"), args)).stdout.trim();
    },
    async close() {
      for (const server of servers) {
        if (server.exitCode !== null || server.signalCode !== null) continue;
        const exited = once(server, "exit");
        server.kill("SIGINT");
        await exited;
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
    folder,
  };
}

describe("the scripts of compose.scale.yaml", () => {
  let machines: Awaited<ReturnType<typeof openMachines>> | null = null;
  afterAll(async () => machines?.close());

  it.skipIf(programs === null)(
    `a standby copies the primary, every commit waits for it, and it can take over${skipped}`,
    async () => {
      const opened = await openMachines();
      machines = opened;
      const { start, execute, query, listenOn, folder } = opened;
      const data = join(folder, "primary");
      await execute(["initdb", "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync"], "primary");
      // As in the container, the script runs on a server that has the deployed options already.
      start([...primary.command, ...listenOn(5432), "-F"], "primary");
      await waitFor(() => query(5432, "select 1"));
      await execute(["createdb", "-h", opened.sockets, "-U", USER, USER], "primary");
      await execute(["sh", join(folder, "allow-standby.sh")], "primary");
      // The script allows the network of the containers; this test has sockets only.
      await appendFile(join(data, "pg_hba.conf"), "local replication standby scram-sha-256\n");
      await execute(["sed", "-i", "/^local *replication *all/d", join(data, "pg_hba.conf")], "primary");
      await query(5432, "select pg_reload_conf()");
      start(["sh", join(folder, "follow-primary.sh"), ...listenOn(5433), "-F"], "standby");
      await waitFor(async () => expect(await query(5432, "select sync_state from pg_stat_replication")).toBe("sync"));
      await query(5432, "create table payments (id int); insert into payments values (1)");
      await waitFor(async () => expect(await query(5433, "select id from payments")).toBe("1"));
      expect(await query(5433, "select pg_promote()")).toBe("t");
      // A standby that had copied the primary's setting would wait here for itself, for ever.
      await query(5433, "insert into payments values (2)");
      expect(await query(5433, "select count(*) from payments")).toBe("2");
    },
  );
});
