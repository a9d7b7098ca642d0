import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installStore } from "@tillkit/example-medusa-store/install-store";
import { migrate, seed } from "@tillkit/example-medusa-store/medusa-server";
import { startPostgres } from "@tillkit/example-medusa-store/postgres";
import { offlineEnvironment } from "./environment.ts";
import type { PreparedStore } from "./fixture.ts";

/**
 * Installs a store and fills a temporary database with Medusa's tables and products. Prints a line before each long step.
 * @param version a version of Medusa in place of the store's own
 */
export async function prepareStore(
  version?: string,
): Promise<{ readonly store: PreparedStore; stop(): Promise<void> }> {
  const startedAt = performance.now();
  const reportProgress = (line: string) =>
    console.log(`[${((performance.now() - startedAt) / 1_000).toFixed(0)} s] ${line} …`);
  const folder = await installStore(reportProgress, version);
  reportProgress("Starting PostgreSQL");
  const dataFolder = await mkdtemp(join(tmpdir(), "tillkit-medusa-"));
  const postgres = await startPostgres({ dataFolder, storeFolder: folder, temporary: true });
  try {
    await postgres.createDatabase("store");
    const databaseUrl = postgres.url("store");
    const environment = offlineEnvironment(databaseUrl);
    reportProgress("Creating Medusa's tables");
    await migrate(folder, environment);
    reportProgress("Adding products");
    await seed(folder, environment);
    reportProgress("Starting the tests");
    return { store: { folder, databaseUrl }, stop: postgres.stop };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}
