import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { bundleProgram, type Program } from "./bundle.ts";
import type { Task } from "./plan.ts";
import { type Outcome, repeatCommand, type Tier } from "./tier.ts";

/** Processes that run slices, each one slice at a time. One that was alone on the machine is used once. */
export type Crew = {
  run(task: Task): Promise<Outcome>;
  /** All processes go; what is under way is given up. */
  dismiss(): void;
};

const PROGRAM = fileURLToPath(new URL("run-slice.ts", import.meta.url));
const BUNDLED = new URL("run-bundled-slice.ts", import.meta.url);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const LAST_WORDS = 2_000;

/** @param aloud what a tier tells goes to standard output: for one case that somebody looks into */
export function createCrew(aloud: boolean): Crew {
  const idle = { sources: [] as ChildProcess[], bundled: [] as ChildProcess[] };
  const all = new Set<ChildProcess>();
  let bundle: Promise<Program> | null = null;

  async function run(task: Task): Promise<Outcome> {
    const own = idle[task.tier.bundled ? "bundled" : "sources"];
    const child = own.pop() ?? (await start(task.tier));
    const outcome = await assign(child, task);
    if (!child.connected) return outcome;
    if (task.tier.alone) child.disconnect();
    else own.push(child);
    return outcome;
  }

  async function start({ bundled }: Tier): Promise<ChildProcess> {
    if (bundled) bundle ??= bundleProgram(BUNDLED);
    const file = bundled ? (await bundle)?.file : undefined;
    const child = fork(file ?? PROGRAM, {
      cwd: ROOT,
      execArgv: file ? [] : ["--import", "tsx", "--conditions=@tillkit/source"],
      stdio: ["ignore", aloud ? "inherit" : "ignore", "pipe", "ipc"],
    });
    all.add(child);
    child.once("exit", () => all.delete(child));
    return child;
  }

  return {
    run,
    dismiss() {
      idle.sources.length = 0;
      idle.bundled.length = 0;
      for (const child of all) if (child.connected) child.disconnect();
    },
  };
}

function assign(child: ChildProcess, { tier, slice }: Task): Promise<Outcome> {
  return new Promise((resolve) => {
    let said = "";
    const listen = (chunk: Buffer): void => {
      said = `${said}${chunk}`.slice(-LAST_WORDS);
    };
    const hear = (message: unknown): void => {
      // A new child says first that it listens; the assignment waits for it in the pipe.
      if (message !== "ready") finish(message as Outcome);
    };
    const die = (code: number | null, signal: string | null): void => {
      const why = `the process that ran cases ${slice.from} to ${slice.to - 1} ended (${signal ?? code}): ${said.trim()}`;
      const again = repeatCommand(tier.id, slice.seed, slice.from);
      finish({ cases: 0, violations: [{ case: slice.from, why, again }] });
    };
    const finish = (outcome: Outcome): void => {
      child.off("message", hear);
      child.off("exit", die);
      child.stderr?.off("data", listen);
      resolve(outcome);
    };
    child.on("message", hear);
    child.once("exit", die);
    child.stderr?.on("data", listen);
    child.send({ tier: tier.id, slice });
  });
}
