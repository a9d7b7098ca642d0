import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Failure, ProcessMessage, RequestMessage, Requests, StartOptions } from "./messages.ts";

/** A merchant's server in its own process. */
export type ServerProcess = {
  readonly port: number;
  /** @throws ProcessDied, RequestRejected */
  request<What extends keyof Requests>(what: What, input: Requests[What]["input"]): Promise<Requests[What]["result"]>;
  kill(): void;
  isAlive(): boolean;
  /** Whether it stopped itself at its freeze point. Its requests count as lost then. */
  isFrozen(): boolean;
  /** Continues the frozen process. */
  thaw(): void;
  readonly exited: Promise<void>;
};

/** The process died before it answered, so the effect of the request is unknown. */
export class ProcessDied extends Error {}

/** The engine rejected the request. */
export class RequestRejected extends Error {
  readonly code: string;
  readonly retryable: boolean;

  constructor({ code, message, retryable }: Failure) {
    super(`${code}: ${message}`);
    this.code = code;
    this.retryable = retryable;
  }
}

/** A pool of standby processes that have loaded their code, so that a restart only needs to open the ledger. */
export type ProcessPool = {
  /** @throws Error if the process ends before it serves for another reason than its crash point */
  start(options: StartOptions): Promise<ServerProcess>;
  /** Returns the output of all processes since the last call. */
  takeOutput(): string;
  close(): Promise<void>;
};

type StandbyProcess = { readonly child: ChildProcess; readonly loaded: Promise<void> };

export function createProcessPool(program: string, standbyCount: number): ProcessPool {
  const standbys: StandbyProcess[] = [];
  const all = new Set<ChildProcess>();
  let printed = "";

  function prepare(): StandbyProcess {
    const child = fork(program, { execArgv: [], stdio: ["ignore", "ignore", "pipe", "ipc"] });
    all.add(child);
    child.once("exit", () => all.delete(child));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    const loaded = once(child, "message").then(() => undefined);
    loaded.catch(() => undefined);
    return { child, loaded };
  }

  async function start(options: StartOptions): Promise<ServerProcess> {
    const { child, loaded } = standbys.shift() ?? prepare();
    while (standbys.length < standbyCount) standbys.push(prepare());
    await loaded;
    return await waitUntilServing(child, options, () => printed.slice(-2_000));
  }

  return {
    start,
    takeOutput: () => {
      const taken = printed;
      printed = "";
      return taken;
    },
    async close() {
      standbys.length = 0;
      const exits = [...all].map((child) => once(child, "exit"));
      for (const child of all) child.kill("SIGKILL");
      await Promise.all(exits);
    },
  };
}

async function waitUntilServing(
  child: ChildProcess,
  options: StartOptions,
  recentOutput: () => string,
): Promise<ServerProcess> {
  const pendingRequests = new Map<number, (message: ProcessMessage | null) => void>();
  let requestCount = 0;
  let alive = true;
  let wasKilled = false;
  let frozen = false;
  let resolvePort = (_port: number) => {};
  const serving = new Promise<number>((resolve) => {
    resolvePort = resolve;
  });

  child.on("message", (received) => {
    const message = received as ProcessMessage;
    if (message.kind === "serving") resolvePort(message.port);
    if (message.kind === "freezing") {
      frozen = true;
      for (const settle of pendingRequests.values()) settle(null);
    }
    if (message.kind === "answer" || message.kind === "failed") pendingRequests.get(message.id)?.(message);
  });
  const exit = new Promise<void>((resolve, reject) => {
    child.once("exit", (code, signal) => {
      alive = false;
      for (const settle of pendingRequests.values()) settle(null);
      if (signal === "SIGKILL") resolve();
      else reject(new Error(`A process exited unexpectedly (${signal ?? code}):\n${recentOutput()}`));
    });
  });
  exit.catch(() => undefined);
  child.send(options, () => undefined);

  const server: ServerProcess = {
    // A process that died while it opened its ledger gets port 0, and its supervisor starts the next one.
    port: await Promise.race([serving, exit.then(() => 0)]),
    request(what, input) {
      requestCount += 1;
      const id = requestCount;
      return new Promise((resolve, reject) => {
        if (!alive || frozen) return reject(new ProcessDied());
        pendingRequests.set(id, (message) => {
          pendingRequests.delete(id);
          if (message?.kind === "answer") resolve(message.result as never);
          else reject(message?.kind === "failed" ? new RequestRejected(message.failure) : new ProcessDied());
        });
        child.send({ id, name: what, input } satisfies RequestMessage, () => undefined);
      });
    },
    kill() {
      wasKilled = true;
      child.kill("SIGKILL");
    },
    isAlive: () => alive && !wasKilled,
    isFrozen: () => frozen,
    thaw() {
      frozen = false;
      child.kill("SIGCONT");
    },
    exited: exit,
  };
  return server;
}
