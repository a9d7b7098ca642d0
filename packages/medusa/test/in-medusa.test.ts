import { container } from "@medusajs/framework";
import { asValue } from "@medusajs/framework/awilix";
import { afterEach, describe, expect, it } from "vitest";
import tillkit from "../src/modules/tillkit/index.ts";
import { TillkitPaymentProvider } from "../src/providers/tillkit/index.ts";
import { agreeOnOptions, closeSharedTill } from "../src/till/shared-till.ts";
import { tillOfMedusa } from "../src/till/till-of-medusa.ts";

const options = {
  apiKey: "svc_sk_test_of_the_tests",
  baseUrl: "https://service.example",
  webhookSecrets: ["whsec_of_the_tests"],
  keys: ["a key of the tests, long enough to sign with"],
  returnUrl: "https://shop.example/return",
};

const setDatabase = (databaseUrl?: string) =>
  container.register({
    configModule: asValue({ projectConfig: { databaseUrl } }),
    logger: asValue({ info() {}, warn() {}, error() {} }),
  });

afterEach(closeSharedTill);

describe("inside Medusa", () => {
  it("plugin and provider share one till, in Medusa's own database", async () => {
    setDatabase("sqlite::memory:");
    TillkitPaymentProvider.validateOptions(options);
    agreeOnOptions("plugin", options);
    expect(await tillOfMedusa()).toBe(await new tillkit.service().till());
    expect((await tillOfMedusa()).container).toBe(container);
  });

  it("a config without a database is refused in one sentence, and may be mended", async () => {
    setDatabase();
    agreeOnOptions("plugin", options);
    await expect(tillOfMedusa()).rejects.toThrow("set projectConfig.databaseUrl, or Tillkit's databaseUrl");
    setDatabase("sqlite::memory:");
    expect((await tillOfMedusa()).options.storeId).toBe("medusa");
  });

  it("a provider without its plugin says which entry is missing", async () => {
    TillkitPaymentProvider.validateOptions(options);
    await expect(tillOfMedusa()).rejects.toThrow('Add { resolve: "@tillkit/medusa", options } to plugins');
  });
});
