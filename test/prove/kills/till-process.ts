import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Asks, Failure, Said, StartOrder } from "./messages.ts";

/** A merchant's server in a process of its own, for as long as it lives. */
export type TillProcess = {
  readonly port: number;
  /** @throws ProcessGone, ProcessRefused */
  ask<What extends keyof Asks>(what: What, ask: Asks[What]["ask"]): Promise<Asks[What]["answer"]>;
  kill(): void;
  isAlive(): boolean;
  readonly ended: Promise<void>;
};

/** The process died before it answered: nobody knows what it did. */
export class ProcessGone extends Error {}

/** The engine said no. */
export class ProcessRefused extends Error {
  readonly code: string;
  readonly retryable: boolean;

  constructor({ code, message, retryable }: Failure) {
    super(`${code}: ${message}`);
    this.code = code;
    this.retryable = retryable;
  }
}

/** Processes that have loaded their code and wait, so that a restart costs no more than opening the ledger. */
export type Crew = {
  /** @throws Error when the process ends before it serves by something else than its own death at a step */
  start(order: StartOrder): Promise<TillProcess>;
  /** Everything that the processes printed since the last time. */
  takePrinted(): string;
  close(): Promise<void>;
};

type Standby = { readonly child: ChildProcess; readonly loaded: Promise<void> };

export function createCrew(program: string, waiting: number): Crew {
  const standbys: Standby[] = [];
  const all = new Set<ChildProcess>();
  let printed = "";

  function prepare(): Standby {
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

  async function start(order: StartOrder): Promise<TillProcess> {
    const { child, loaded } = standbys.shift() ?? prepare();
    while (standbys.length < waiting) standbys.push(prepare());
    await loaded;
    return await serve(child, order, () => printed.slice(-2_000));
  }

  return {
    start,
    takePrinted: () => {
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

async function serve(child: ChildProcess, order: StartOrder, lastWords: () => string): Promise<TillProcess> {
  const waiting = new Map<number, (said: Said | null) => void>();
  let asked = 0;
  let alive = true;
  let wasKilled = false;
  let tellServing = (_port: number) => {};
  const serving = new Promise<number>((resolve) => {
    tellServing = resolve;
  });

  child.on("message", (message) => {
    const said = message as Said;
    if (said.say === "serving") tellServing(said.port);
    if (said.say === "answer" || said.say === "failed") waiting.get(said.id)?.(said);
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once("exit", (code, signal) => {
      alive = false;
      for (const hear of waiting.values()) hear(null);
      if (signal === "SIGKILL") resolve();
      else reject(new Error(`A process ended by itself (${signal ?? code}):\n${lastWords()}`));
    });
  });
  ended.catch(() => undefined);
  child.send(order, () => undefined);

  const life: TillProcess = {
    // Died while it opened its ledger: it serves nobody, and its supervisor starts the next.
    port: await Promise.race([serving, ended.then(() => 0)]),
    ask(what, ask) {
      asked += 1;
      const id = asked;
      return new Promise((resolve, reject) => {
        if (!alive) return reject(new ProcessGone());
        waiting.set(id, (said) => {
          waiting.delete(id);
          if (said?.say === "answer") resolve(said.answer as never);
          else reject(said?.say === "failed" ? new ProcessRefused(said.failure) : new ProcessGone());
        });
        child.send({ id, what, ask }, () => undefined);
      });
    },
    kill() {
      wasKilled = true;
      child.kill("SIGKILL");
    },
    isAlive: () => alive && !wasKilled,
    ended,
  };
  return life;
}
