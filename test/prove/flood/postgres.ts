import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** `isServer`: a real server, else PGlite, which serves one connection at a time. */
export type Postgres = { readonly url: string; readonly isServer: boolean; stop(): Promise<void> };

/** Starts a temporary PostgreSQL whose commits wait for the disk, like a merchant's. */
export async function startPostgres(): Promise<Postgres> {
  const program = fileURLToPath(new URL("../../../packages/sql/test/programs/serve-postgres.ts", import.meta.url));
  const child = fork(program, ["durable"], { execArgv: ["--import", "tsx", "--conditions=@tillkit/source"] });
  const where = await new Promise<Omit<Postgres, "stop">>((resolve, reject) => {
    child.once("message", (answer) => resolve(answer as Omit<Postgres, "stop">));
    child.once("exit", (code) => reject(new Error(`PostgreSQL did not start (exit ${code}).`)));
  });
  return {
    ...where,
    async stop() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}
