import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** `isServer`: the machine's own server, else PGlite, whose clients take turns. */
export type Postgres = { readonly url: string; readonly isServer: boolean; stop(): Promise<void> };

const PROGRAM = fileURLToPath(new URL("../../../packages/sql/test/programs/serve-postgres.ts", import.meta.url));

/** Starts a PostgreSQL that belongs to the caller until it is stopped. */
export async function startPostgres(): Promise<Postgres> {
  const child = fork(PROGRAM, { execArgv: ["--import", "tsx", "--conditions=@tillkit/source"] });
  const where = await new Promise<Omit<Postgres, "stop">>((resolve, reject) => {
    child.once("message", (answer) => resolve(answer as Omit<Postgres, "stop">));
    child.once("exit", (code) => reject(new Error(`PostgreSQL did not start (exit ${code}).`)));
  });
  const stop = async () => {
    const ended = once(child, "exit");
    child.disconnect();
    await ended;
  };
  return { ...where, stop };
}
