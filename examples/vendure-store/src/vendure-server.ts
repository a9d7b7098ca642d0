import { join } from "node:path";
import { runProgram } from "@tillkit/example-medusa-store/npm";
import { type StoreServer, startServer } from "@tillkit/example-medusa-store/server-process";

export type VendureEnvironment = Readonly<Record<string, string>>;

/** Creates Vendure's tables in an empty database and fills them with products and channels. */
export async function seed(store: string, environment: VendureEnvironment): Promise<void> {
  await runProgram(process.execPath, [join(store, "seed.js")], store, withProcessEnvironment(environment));
}

/** Starts Vendure's server; no worker runs beside it. @throws Error with the server's output when it does not start */
export async function startVendure(store: string, environment: VendureEnvironment): Promise<StoreServer> {
  return await startServer({
    name: "Vendure",
    folder: store,
    program: [join(store, "server.js")],
    environment: withProcessEnvironment(environment),
    url: environment.VENDURE_URL ?? "",
    readyPath: "/health",
  });
}

function withProcessEnvironment(environment: VendureEnvironment): NodeJS.ProcessEnv {
  return { ...process.env, NODE_ENV: "production", VENDURE_DISABLE_TELEMETRY: "true", ...environment };
}
