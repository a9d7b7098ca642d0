import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** `isServer`: a real server, which several processes can use at once; else PGlite, whose clients take turns. */
export type Postgres = { readonly url: string; readonly isServer: boolean; stop(): Promise<void> };

const PROGRAM = fileURLToPath(new URL("../../packages/sql/test/programs/serve-postgres.ts", import.meta.url));

/** Starts a temporary PostgreSQL for a test of any package. `durable`: commits wait for the disk, like a merchant's. */
export async function startPostgres({ durable = false } = {}): Promise<Postgres> {
  const child = fork(PROGRAM, durable ? ["durable"] : [], {
    execArgv: ["--import", "tsx", "--conditions=@tillkit/source"],
  });
  const started = await new Promise<Omit<Postgres, "stop">>((resolve, reject) => {
    child.once("message", (message) => resolve(message as Omit<Postgres, "stop">));
    child.once("exit", (code) => reject(new Error(`The PostgreSQL of the tests did not start (exit ${code}).`)));
  });
  async function stop(): Promise<void> {
    const exited = once(child, "exit");
    child.disconnect();
    await exited;
  }
  return { ...started, stop };
}
