import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { bundleProgram } from "../../programs/bundle-program.ts";
import type { CallPlan, ObservedCall } from "./observed-call.ts";

const PROGRAM = new URL("worker-process.ts", import.meta.url);

/** Processes that use the same ledgers concurrently. */
export type Workers = {
  /** Runs one plan per process on the ledger with this index. */
  run(ledgerIndex: number, plans: readonly CallPlan[]): Promise<readonly ObservedCall[]>;
  close(): Promise<void>;
};

export async function startWorkers(count: number, urls: readonly string[]): Promise<Workers> {
  const program = await bundleProgram(PROGRAM);
  const children = Array.from({ length: count }, () => fork(program.file, [...urls], { execArgv: [] }));
  await Promise.all(children.map(answerOf));
  return {
    async run(ledgerIndex, plans) {
      const answers = plans.map((plan, index) => {
        const child = children[index];
        if (!child) throw new Error("There are more plans than processes.");
        const answer = answerOf(child);
        child.send({ ledgerIndex, plan });
        return answer as Promise<readonly ObservedCall[]>;
      });
      return (await Promise.all(answers)).flat();
    },
    async close() {
      const alive = children.filter(({ connected }) => connected);
      const ends = alive.map((child) => once(child, "exit"));
      for (const child of alive) child.disconnect();
      await Promise.all(ends);
      await program.remove();
    },
  };
}

function answerOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`A process on the ledger ended (${code}).`));
    child.once("exit", onExit);
    child.once("message", (answer) => {
      child.off("exit", onExit);
      resolve(answer);
    });
  });
}
