import { container } from "@medusajs/framework";
import { asValue } from "@medusajs/framework/awilix";
import { afterEach, describe, expect, it } from "vitest";
import tillkit from "../src/modules/tillkit/index.ts";
import { TillkitPaymentProvider } from "../src/providers/tillkit/index.ts";
import { getRuntime } from "../src/runtime/get-runtime.ts";
import { closeSharedRuntime, registerOptions } from "../src/runtime/shared-runtime.ts";

const options = {
  apiKey: "svc_sk_test_of_the_tests",
  service: { baseUrl: "https://service.example" },
  webhookSecrets: ["whsec_of_the_tests"],
  keys: ["a key of the tests, long enough to sign with"],
  returnUrl: "https://shop.example/return",
};

const setDatabase = (databaseUrl?: string) =>
  container.register({
    configModule: asValue({ projectConfig: { databaseUrl } }),
    logger: asValue({ info() {}, warn() {}, error() {} }),
  });

afterEach(closeSharedRuntime);

describe("the runtime inside Medusa", () => {
  it("plugin and provider share one runtime in Medusa's own database", async () => {
    setDatabase("sqlite::memory:");
    TillkitPaymentProvider.validateOptions(options);
    registerOptions("plugin", options);
    expect(await getRuntime()).toBe(await new tillkit.service().runtime());
    expect((await getRuntime()).container).toBe(container);
  });

  it("a config without a database is rejected in one sentence and can be corrected", async () => {
    setDatabase();
    registerOptions("plugin", options);
    await expect(getRuntime()).rejects.toThrow("set projectConfig.databaseUrl, or Tillkit's databaseUrl");
    setDatabase("sqlite::memory:");
    expect((await getRuntime()).options.storeId).toBe("medusa");
  });

  it("a provider without its plugin reports the missing entry", async () => {
    TillkitPaymentProvider.validateOptions(options);
    await expect(getRuntime()).rejects.toThrow('add { resolve: "@tillkit/medusa", options } to plugins');
  });
});
