import { fork } from "node:child_process";
import { once } from "node:events";
import { bundleProgram } from "../programs/bundle-program.ts";

/** `isServer`: a real server, which several processes can use at once; else PGlite, whose clients take turns. */
export type Postgres = { readonly url: string; readonly isServer: boolean; stop(): Promise<void> };

const PROGRAM = new URL("../../packages/sql/test/programs/serve-postgres.ts", import.meta.url);

/** Starts a temporary PostgreSQL for a test of any package. `durable`: commits wait for the disk, like a merchant's. */
export async function startPostgres({ durable = false } = {}): Promise<Postgres> {
  const program = await bundleProgram(PROGRAM);
  const child = fork(program.file, durable ? ["durable"] : [], { execArgv: [] });
  const started = await new Promise<Omit<Postgres, "stop">>((resolve, reject) => {
    child.once("message", (message) => resolve(message as Omit<Postgres, "stop">));
    child.once("exit", (code) => reject(new Error(`The PostgreSQL of the tests did not start (exit ${code}).`)));
  });
  async function stop(): Promise<void> {
    const exited = once(child, "exit");
    child.disconnect();
    await exited;
    await program.remove();
  }
  return { ...started, stop };
}
