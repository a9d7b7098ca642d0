import { type ChildProcess, spawn } from "node:child_process";
import { chown, mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { serverOwner, serverPrograms } from "../../../postgres/postgres-programs.ts";
import { endProcesses, processesOfServer, runServerProgram, type ServerMachine, signal } from "../server-machine.ts";

export type PatroniPorts = { readonly etcd: number; readonly server: number; readonly rest: number };

/** A PostgreSQL server under Patroni. Both die, freeze and return together, as on one machine. */
export type PatroniMachine = ServerMachine & {
  /** Continues all processes where `freeze` stopped them. */
  thaw(): void;
  /** Whether Patroni says that this server is the primary server. */
  leads(): Promise<boolean>;
};

const ANSWER_WITHIN_MS = 1_000;
const POLL_MS = 100;
const READY_WITHIN_MS = 60_000;

/** Creates the folder of a machine and its configuration. `start` starts Patroni, which creates or copies the database. */
export async function createPatroniMachine(name: string, folder: string, ports: PatroniPorts): Promise<PatroniMachine> {
  const owner = await serverOwner();
  const data = join(folder, "data");
  const configuration = join(folder, "patroni.json");
  await mkdir(folder, { recursive: true });
  // Patroni reads YAML, and JSON is YAML.
  await writeFile(configuration, JSON.stringify(configurationOf(name, folder, data, ports), null, 2));
  if (owner) await chown(folder, owner.uid, owner.gid);
  let patroni: ChildProcess | null = null;
  let frozen: readonly number[] = [];

  const processIds = async () => [...(patroni?.pid ? [patroni.pid] : []), ...(await processesOfServer(data))];
  const query = async (text: string, timeoutMs = 10_000) => {
    const flags = ["-h", folder, "-p", String(ports.server), "-U", "postgres", "-d", "postgres", "-XAtq", "-c", text];
    return (await runServerProgram("psql", flags, timeoutMs)).trim();
  };
  const kill = async () => endProcesses(await processIds());

  return {
    folder,
    socketPath: join(folder, `.s.PGSQL.${ports.server}`),
    query,
    kill,
    async start() {
      const log = await open(join(folder, "log"), "a");
      patroni = spawn("patroni", [configuration], {
        ...owner,
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder },
        stdio: ["ignore", log.fd, log.fd],
      });
      await log.close();
      for (const giveUpAt = Date.now() + READY_WITHIN_MS; ; await sleep(POLL_MS)) {
        if ((await query("select 1").catch(() => null)) === "1") return;
        if (Date.now() > giveUpAt)
          throw new Error(`Patroni started no server: ${await lastLines(join(folder, "log"))}`);
      }
    },
    async freeze() {
      // Patroni first: otherwise it would see that its server does not answer.
      frozen = await processIds();
      for (const id of frozen) signal(id, "SIGSTOP");
    },
    thaw() {
      for (const id of frozen) signal(id, "SIGCONT");
    },
    async leads() {
      const url = `http://127.0.0.1:${ports.rest}/primary`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(() => null);
      await answer?.body?.cancel();
      return answer?.status === 200;
    },
    async destroy() {
      await kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** The standby is synchronous, and a leader that is silent for twenty seconds is replaced. */
function configurationOf(name: string, folder: string, data: string, { etcd, server, rest }: PatroniPorts) {
  const user = (username: string) => ({ username, password: "of this exam only" });
  return {
    scope: "exam",
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd: { host: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 5,
        retry_timeout: 5,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: { wal_log_hints: "on", max_connections: 100 } },
      },
      initdb: [{ encoding: "UTF8" }, { auth: "trust" }, "no-sync"],
    },
    postgresql: {
      listen: `127.0.0.1:${server}`,
      connect_address: `127.0.0.1:${server}`,
      data_dir: data,
      bin_dir: serverPrograms(),
      authentication: { superuser: user("postgres"), replication: user("replicator"), rewind: user("rewinder") },
      pg_hba: ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"],
      parameters: { unix_socket_directories: folder, unix_socket_permissions: "0777", fsync: "off" },
    },
  };
}

async function lastLines(file: string): Promise<string> {
  return (await readFile(file, "utf8")).split("\n").slice(-6).join("\n");
}
