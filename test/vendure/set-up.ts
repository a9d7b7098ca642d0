import { copyFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@tillkit/example-medusa-store/free-port";
import { startPostgres } from "@tillkit/example-medusa-store/postgres";
import { installStore } from "@tillkit/example-vendure-store/install-store";
import { seed } from "@tillkit/example-vendure-store/vendure-server";
import type { TestProject } from "vitest/node";
import { createEnvironment } from "./environment.ts";
import type { PreparedStore } from "./fixture.ts";

declare module "vitest" {
  interface ProvidedContext {
    vendureStore: PreparedStore;
  }
}

/** Installs the store and fills a temporary database with Vendure's tables and products. Prints a line before each long step. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const startedAt = performance.now();
  const reportProgress = (line: string) =>
    console.log(`[${((performance.now() - startedAt) / 1_000).toFixed(0)} s] ${line} …`);
  const folder = await installStore(reportProgress);
  const otherPlugin = join(folder, "store-plugin.cjs");
  await copyFile(fileURLToPath(new URL("store-plugin/store-plugin.cjs", import.meta.url)), otherPlugin);
  reportProgress("Starting PostgreSQL");
  const dataFolder = await mkdtemp(join(tmpdir(), "tillkit-vendure-"));
  const postgres = await startPostgres({ dataFolder, storeFolder: folder, temporary: true });
  try {
    await postgres.createDatabase("store");
    const databaseUrl = postgres.url("store");
    reportProgress("Creating Vendure's tables, products and channels");
    const url = `http://127.0.0.1:${await freePort()}`;
    const closed = { url, baseUrl: "http://127.0.0.1:9", apiKey: "svc_sk_test_closed" };
    const secrets = { ci: "whsec_closed", us: "whsec_closed" };
    await seed(folder, createEnvironment({ databaseUrl, ...closed, secrets, otherPlugin }));
    reportProgress("Starting the tests");
    project.provide("vendureStore", { folder, databaseUrl, otherPlugin });
    return postgres.stop;
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}
