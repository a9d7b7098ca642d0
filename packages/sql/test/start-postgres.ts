import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

type Postgres = { readonly url: string; readonly isServer: boolean; stop(): Promise<void> };

/** A PostgreSQL of one's own until it is stopped. `isServer`: a real one, which several processes can share at once. */
export async function startPostgres(): Promise<Postgres> {
  const program = fileURLToPath(new URL("programs/serve-postgres.ts", import.meta.url));
  const child = fork(program, { execArgv: ["--import", "tsx", "--conditions=@tillkit/source"] });
  const where = await new Promise<Omit<Postgres, "stop">>((resolve, reject) => {
    child.once("message", (answer) => resolve(answer as Omit<Postgres, "stop">));
    child.once("exit", (code) => reject(new Error(`The PostgreSQL of the tests did not start (exit ${code}).`)));
  });
  const stop = async () => {
    child.disconnect();
    await once(child, "exit");
  };
  return { ...where, stop };
}
