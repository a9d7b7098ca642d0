import { cp } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "./npm.ts";
import { type StoreServer, startServer } from "./server-process.ts";

/** A Medusa server in its own process. */
export type MedusaServer = StoreServer;

export type MedusaEnvironment = Readonly<Record<string, string>>;

/** Creates the tables of Medusa and its plugins. */
export async function migrate(store: string, environment: MedusaEnvironment): Promise<void> {
  await runMedusa(store, ["db:migrate"], environment);
}

/** Fills an empty database with products, regions and the owner's account. */
export async function seed(store: string, environment: MedusaEnvironment): Promise<void> {
  await runMedusa(store, ["exec", "./seed.js"], environment);
}

/** Builds the admin and copies it to the folder that `medusa start` serves. */
export async function buildAdmin(store: string, environment: MedusaEnvironment): Promise<void> {
  await runMedusa(store, ["build", "--admin-only"], environment);
  await cp(join(store, ".medusa", "admin"), join(store, "public", "admin"), { recursive: true });
}

/** Resolves when the server answers. @throws Error with the server's output when it does not start */
export async function startMedusa(store: string, environment: MedusaEnvironment, port: number): Promise<MedusaServer> {
  return await startServer({
    name: "Medusa",
    folder: store,
    program: [medusaProgram(store), "start", "--host", "127.0.0.1", "--port", String(port)],
    environment: withProcessEnvironment(environment),
    url: `http://127.0.0.1:${port}`,
    readyPath: "/health",
  });
}

async function runMedusa(store: string, parameters: readonly string[], environment: MedusaEnvironment): Promise<void> {
  await runProgram(process.execPath, [medusaProgram(store), ...parameters], store, withProcessEnvironment(environment));
}

function medusaProgram(store: string): string {
  return join(store, "node_modules", "@medusajs", "cli", "cli.js");
}

function withProcessEnvironment(environment: MedusaEnvironment): NodeJS.ProcessEnv {
  return { ...process.env, NODE_ENV: "production", MEDUSA_DISABLE_TELEMETRY: "true", ...environment };
}
