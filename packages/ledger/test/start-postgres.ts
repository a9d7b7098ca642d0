import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

type Postgres = { readonly url: string; readonly isServer: boolean; stop(): Promise<void> };

/** Starts a PostgreSQL for one test file. `isServer` is false for PGlite, which only one process can use. */
export async function startPostgres(): Promise<Postgres> {
  const program = fileURLToPath(new URL("../../sql/test/programs/serve-postgres.ts", import.meta.url));
  const child = fork(program, { execArgv: ["--import", "tsx", "--conditions=@tillkit/source"] });
  const where = await new Promise<Omit<Postgres, "stop">>((resolve, reject) => {
    child.once("message", (answer) => resolve(answer as Omit<Postgres, "stop">));
    child.once("exit", (code) => reject(new Error(`The test PostgreSQL did not start (exit code ${code}).`)));
  });
  const stop = async () => {
    child.disconnect();
    await once(child, "exit");
  };
  return { ...where, stop };
}
