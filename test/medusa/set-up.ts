import type { TestProject } from "vitest/node";
import type { PreparedStore } from "./fixture.ts";
import { prepareStore } from "./prepare-store.ts";

declare module "vitest" {
  interface ProvidedContext {
    store: PreparedStore;
  }
}

/** Prepares the store that all tests of the newest Medusa share. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { store, stop } = await prepareStore();
  project.provide("store", store);
  return stop;
}
