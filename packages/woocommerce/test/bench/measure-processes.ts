import { fork } from "node:child_process";
import { bundleProgram } from "../../../../test/programs/bundle-program.ts";

/**
 * What a measured process reports: its processor time until it was ready (`readyCpuMs`), for the daily sweep of all shops (`sweepMs`; null
 * where nobody waited for it), and of one core while it was idle.
 */
export type ConnectedUsage = {
  readonly readyMs: number;
  readonly readyCpuMs: number;
  readonly rssMb: number;
  readonly sweepMs: number | null;
  readonly idlePercent: number;
};

export type MeasureOptions = {
  readonly database: string;
  readonly key: string;
  readonly idleMs: number;
  readonly processes: number;
};

/** Starts servers that share one ledger, at once, and measures each. They are bundled, as the command `tillkit` is. */
export async function measureProcesses(options: MeasureOptions): Promise<readonly ConnectedUsage[]> {
  const { database, key, idleMs, processes } = options;
  const program = await bundleProgram(new URL("./connected-shops-process.ts", import.meta.url));
  const measureOne = async () => {
    const child = fork(program.file, [database, key, String(idleMs)], { execArgv: [] });
    return await new Promise<ConnectedUsage>((resolve, reject) => {
      child.once("message", (usage: ConnectedUsage) => resolve(usage));
      child.once("exit", (code) => reject(new Error(`The measured server ended with ${code}.`)));
    });
  };
  return await Promise.all(Array.from({ length: processes }, measureOne)).finally(() => program.remove());
}
