import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "@tillkit/core";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readOptions } from "../src/options/options.ts";
import { openRuntime } from "../src/runtime/open-runtime.ts";
import { createFakeMedusa } from "./fake-medusa/fake-medusa.ts";
import { trustingProvider } from "./medusa-harness.ts";

const OLD_KEY = "an old key of the tests, long enough to seal with";
const NEW_KEY = "a new key of the tests, long enough to seal with";

let sandbox: Sandbox;
let folder: string;
beforeEach(async () => {
  sandbox = await createSandbox();
  folder = await mkdtemp(join(tmpdir(), "tillkit-medusa-"));
});
afterEach(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

it("the webhook's secret survives the rotation of the store's key", async () => {
  const { container } = createFakeMedusa(trustingProvider(new Map()));
  const secretsWith = async (...keys: string[]) => {
    const options = readOptions({
      apiKey: sandbox.keys.test.secret,
      service: { baseUrl: sandbox.baseUrl },
      registerWebhookAt: "https://medusa.example",
      keys,
      returnUrl: "https://shop.example/return",
    });
    const databaseUrl = `sqlite:${join(folder, "ledger.db")}`;
    const runtime = await openRuntime({ options, container, databaseUrl, log: silentLog });
    const endpoint = await runtime.engine.tenants.endpoint("medusa");
    await runtime.close();
    return endpoint?.secrets;
  };
  const first = await secretsWith(OLD_KEY);
  expect(first).toHaveLength(1);
  expect(await secretsWith(NEW_KEY, OLD_KEY)).toEqual(first);
  expect(await secretsWith(NEW_KEY)).toEqual(first);
});
