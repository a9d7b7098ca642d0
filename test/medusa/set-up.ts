import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installStore } from "@tillkit/example-medusa-store/install-store";
import { migrate, seed } from "@tillkit/example-medusa-store/medusa-server";
import { startPostgres } from "@tillkit/example-medusa-store/postgres";
import type { TestProject } from "vitest/node";
import { offlineEnvironment } from "./environment.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The installed store, and a database with Medusa's tables and products. */
    store: { readonly folder: string; readonly databaseUrl: string };
  }
}

/** Prepares the store that all tests share and prints a line before each long step. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const startedAt = performance.now();
  const reportProgress = (line: string) =>
    console.log(`[${((performance.now() - startedAt) / 1_000).toFixed(0)} s] ${line} …`);
  const storeFolder = await installStore(reportProgress);
  reportProgress("Starting PostgreSQL");
  const dataFolder = await mkdtemp(join(tmpdir(), "tillkit-medusa-"));
  const postgres = await startPostgres({ dataFolder, storeFolder, temporary: true });
  try {
    await postgres.createDatabase("store");
    const databaseUrl = postgres.url("store");
    const environment = offlineEnvironment(databaseUrl);
    reportProgress("Creating Medusa's tables");
    await migrate(storeFolder, environment);
    reportProgress("Adding products");
    await seed(storeFolder, environment);
    reportProgress("Starting the tests");
    project.provide("store", { folder: storeFolder, databaseUrl });
    return postgres.stop;
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}
