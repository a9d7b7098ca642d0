import { execFile } from "node:child_process";
import { chown, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { serverOwner, serverPrograms } from "../../postgres/postgres-programs.ts";
import { PATIENCE_MS } from "../../waiting/patience.ts";

const run = promisify(execFile);
const POLL_MS = 5;

/** One PostgreSQL server, as if it had a machine of its own. It listens on the socket in its folder. */
export type ServerMachine = {
  readonly folder: string;
  readonly socketPath: string;
  start(): Promise<void>;
  /** Runs SQL as the owner of the database and returns the output without headers. */
  query(text: string, timeoutMs?: number): Promise<string>;
  /** Ends all processes at once, as a power cut does. The data stays. */
  kill(): Promise<void>;
  /** Suspends all processes. Their connections stay open and send nothing more. */
  freeze(): Promise<void>;
  /** Ends all processes and removes the data. */
  destroy(): Promise<void>;
};

export const hasServer = process.env.TILLKIT_TEST_POSTGRES !== "pglite" && serverPrograms() !== null;

/** Creates the folder of a server without data. */
export async function createMachine(folder: string): Promise<ServerMachine> {
  const owner = await serverOwner();
  const data = join(folder, "data");
  await mkdir(folder, { recursive: true });
  if (owner) await chown(folder, owner.uid, owner.gid);

  const kill = async () => endProcesses(await processesOfServer(data));

  return {
    folder,
    socketPath: join(folder, ".s.PGSQL.5432"),
    async start() {
      const options = `-F -k ${folder} -c listen_addresses= -c unix_socket_permissions=0777 -c wal_log_hints=on`;
      await runServerProgram("pg_ctl", ["-D", data, "-w", "-l", join(folder, "log"), "-o", options, "start"]);
    },
    async query(text, timeoutMs = PATIENCE_MS) {
      const flags = ["-h", folder, "-U", "postgres", "-d", "postgres", "-XAtq", "-c", text];
      return (await runServerProgram("psql", flags, timeoutMs)).trim();
    },
    kill,
    async freeze() {
      for (const id of await processesOfServer(data)) signal(id, "SIGSTOP");
    },
    async destroy() {
      await kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Makes `machine` an empty primary server. */
export async function initialize(machine: ServerMachine): Promise<void> {
  const data = join(machine.folder, "data");
  await runServerProgram("initdb", ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]);
  await machine.start();
}

/** Makes `standby` a copy that follows the primary. `host` and `port`: how it reaches the primary. */
export async function follow(standby: ServerMachine, { host, port }: { host: string; port: number }): Promise<void> {
  const address = `host=${host} port=${port} user=postgres application_name=standby`;
  const flags = ["-D", join(standby.folder, "data"), "-d", address, "-R", "-X", "stream", "-c", "fast", "--no-sync"];
  await runServerProgram("pg_basebackup", [...flags, "-C", "-S", "standby"]);
  await standby.start();
}

/** The processes of the server that runs on this data. */
export async function processesOfServer(data: string): Promise<readonly number[]> {
  const file = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "");
  const postmaster = Number(file.split("\n")[0]);
  if (!postmaster) return [];
  // Each process of PostgreSQL leads a session of its own, so a signal to the process group would miss the children.
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").catch(() => null);
  return children === null ? [] : [postmaster, ...children.split(" ").filter(Boolean).map(Number)];
}

/** Kills the processes and waits until they are gone. */
export async function endProcesses(ids: readonly number[]): Promise<void> {
  for (const id of ids) signal(id, "SIGKILL");
  while (ids.some((id) => signal(id, 0))) await sleep(POLL_MS);
}

/** Runs a program of PostgreSQL as the user who owns the server, and returns its output. */
export async function runServerProgram(
  name: string,
  flags: readonly string[],
  timeoutMs = PATIENCE_MS,
): Promise<string> {
  const owner = await serverOwner();
  const { stdout } = await run(join(serverPrograms() ?? "", name), [...flags], {
    ...owner,
    cwd: "/",
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  return stdout;
}

/** Sends the signal; 0 sends none. Returns whether the process exists. */
export function signal(id: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(id, name);
    return true;
  } catch {
    return false;
  }
}
