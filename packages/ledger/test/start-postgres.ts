import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

type Postgres = { readonly url: string; readonly isServer: boolean; stop(): Promise<void> };

/** Starts a temporary PostgreSQL. `isServer` is true for a real server, which several processes can use at once. */
export async function startPostgres(): Promise<Postgres> {
  const program = fileURLToPath(new URL("../../sql/test/programs/serve-postgres.ts", import.meta.url));
  const child = fork(program, { execArgv: ["--import", "tsx", "--conditions=@tillkit/source"] });
  const started = await new Promise<Omit<Postgres, "stop">>((resolve, reject) => {
    child.once("message", (message) => resolve(message as Omit<Postgres, "stop">));
    child.once("exit", (code) => reject(new Error(`The PostgreSQL of the tests did not start (exit ${code}).`)));
  });
  const stop = async () => {
    child.disconnect();
    await once(child, "exit");
  };
  return { ...started, stop };
}
