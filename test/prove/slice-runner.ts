import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { bundleProgram, type Program } from "../programs/bundle-program.ts";
import type { Task } from "./plan.ts";
import { type Outcome, repeatCommand, type Tier } from "./tier.ts";

/** Runs slices in child processes, one slice at a time each. A process of an exclusive tier is used only once. */
export type SliceRunner = {
  run(task: Task): Promise<Outcome>;
  /** Stops all processes and abandons the running slices. */
  close(): void;
};

const PROGRAM = fileURLToPath(new URL("run-slice.ts", import.meta.url));
const BUNDLED = new URL("run-bundled-slice.ts", import.meta.url);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const STDERR_LENGTH = 2_000;

/** @param showOutput true shows what the tiers print. A run of a single case shows it; longer runs do not. */
export function createSliceRunner(showOutput: boolean): SliceRunner {
  const idle = { sources: [] as ChildProcess[], bundled: [] as ChildProcess[] };
  const all = new Set<ChildProcess>();
  let bundle: Promise<Program> | null = null;

  async function run(task: Task): Promise<Outcome> {
    const idleOfKind = idle[task.tier.bundled ? "bundled" : "sources"];
    const child = idleOfKind.pop() ?? (await start(task.tier));
    const outcome = await runInChild(child, task);
    if (!child.connected) return outcome;
    if (task.tier.exclusive) child.disconnect();
    else idleOfKind.push(child);
    return outcome;
  }

  async function start({ bundled }: Tier): Promise<ChildProcess> {
    if (bundled) bundle ??= bundleProgram(BUNDLED);
    const file = bundled ? (await bundle)?.file : undefined;
    const child = fork(file ?? PROGRAM, {
      cwd: ROOT,
      execArgv: file ? [] : ["--import", "tsx", "--conditions=@tillkit/source"],
      stdio: ["ignore", showOutput ? "inherit" : "ignore", "pipe", "ipc"],
    });
    all.add(child);
    child.once("exit", () => all.delete(child));
    return child;
  }

  return {
    run,
    close() {
      idle.sources.length = 0;
      idle.bundled.length = 0;
      for (const child of all) if (child.connected) child.disconnect();
    },
  };
}

function runInChild(child: ChildProcess, { tier, slice }: Task): Promise<Outcome> {
  return new Promise((resolve) => {
    let stderrText = "";
    const onStderr = (chunk: Buffer): void => {
      stderrText = `${stderrText}${chunk}`.slice(-STDERR_LENGTH);
    };
    const onMessage = (message: unknown): void => {
      // A new child first sends "ready"; the assignment waits in the pipe until then.
      if (message !== "ready") finish(message as Outcome);
    };
    const onExit = (code: number | null, signal: string | null): void => {
      const why = `the process that ran cases ${slice.from} to ${slice.to - 1} ended (${signal ?? code}): ${stderrText.trim()}`;
      const again = repeatCommand(tier.id, slice.seed, slice.from);
      finish({ cases: 0, violations: [{ case: slice.from, why, again }] });
    };
    const finish = (outcome: Outcome): void => {
      child.off("message", onMessage);
      child.off("exit", onExit);
      child.stderr?.off("data", onStderr);
      resolve(outcome);
    };
    child.on("message", onMessage);
    child.once("exit", onExit);
    child.stderr?.on("data", onStderr);
    child.send({ tier: tier.id, slice });
  });
}
