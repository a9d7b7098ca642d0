import { silentLog } from "@tillkit/core";
import { afterEach, describe, expect, it } from "vitest";
import { readOptions } from "../src/options/options.ts";
import { assertPluginEntry } from "../src/options/plugin-entry.ts";
import { openRuntime } from "../src/runtime/open-runtime.ts";
import { type Fixture, openFixture } from "./fixture.ts";

let fixture: Fixture | undefined;
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});

const containerWith = (plugins: unknown) => ({ container: { resolve: () => ({ plugins }) } });

describe("a start of Medusa with a mistake in the configuration", () => {
  it("a provider whose plugin entry was forgotten stops the start with the line to add", async () => {
    await expect(assertPluginEntry(containerWith([]))).rejects.toMatchObject({
      code: "configuration_invalid",
      message: expect.stringContaining('add { resolve: "@tillkit/medusa", options } to plugins'),
    });
  });

  it.each([
    ["a package name", ["@tillkit/medusa"]],
    ["an object with options", [{ resolve: "@tillkit/medusa", options: {} }]],
    ["a local path", [{ resolve: "/srv/plugins/tillkit-medusa" }]],
    ["a shape that this version does not know", "all"],
  ])("a provider whose plugin entry is %s starts", async (_form, plugins) => {
    await expect(assertPluginEntry(containerWith(plugins))).resolves.toBeUndefined();
  });

  it("a key that the service does not know stops the start, and the sentence does not repeat the key", async () => {
    fixture = await openFixture();
    const options = readOptions({ ...fixture.options, apiKey: "svc_sk_test_ofAnotherService" });
    const { container } = fixture.medusa;
    const opening = openRuntime({ options, container, databaseUrl: "sqlite::memory:", log: silentLog });
    await expect(opening).rejects.toMatchObject({
      code: "configuration_invalid",
      message: expect.stringMatching(
        /^Tillkit option apiKey is rejected by the service at .*copy the secret key again/,
      ),
    });
    await expect(opening).rejects.not.toThrow("ofAnotherService");
  });

  it("a service that does not answer does not stop the start", async () => {
    fixture = await openFixture();
    const options = readOptions({ ...fixture.options, service: { baseUrl: "http://127.0.0.1:9" } });
    const { container } = fixture.medusa;
    const runtime = await openRuntime({ options, container, databaseUrl: "sqlite::memory:", log: silentLog });
    await runtime.close();
  });
});
