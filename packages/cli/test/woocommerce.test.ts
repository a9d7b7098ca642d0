import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeWooCommerce, type FakeWooCommerce } from "@tillkit/fake-woocommerce";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { buildProgram } from "./build-program.ts";
import { linesOf, startProgram } from "./program.ts";
import { tillkit } from "./tillkit.ts";

const LINK_SECRET = "a link secret of the tests, never of a real shop";

let folder: string;
let config: string;
let fake: FakeWooCommerce;
let server: ChildProcess;
let firstLine: string;
let errorOutput = "";

beforeAll(async () => {
  await buildProgram();
  folder = await mkdtemp(join(tmpdir(), "tillkit-woocommerce-"));
  fake = await createFakeWooCommerce();
  config = await writeConfig("woocommerce.json");
  const environment = { TILLKIT_TEST_CS: fake.consumerSecret };
  server = startProgram(["woocommerce", "serve", "--json", "--config", config], { env: environment });
  server.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errorOutput += text;
  });
  firstLine = (await linesOf(server).next()).value;
});

afterAll(async () => {
  server.kill("SIGKILL");
  await fake.close();
  await rm(folder, { recursive: true, force: true });
});

describe("tillkit woocommerce serve", () => {
  it("tillkit woocommerce serve prints its address in the first line, answers there, and prints no secret", async () => {
    const ready: { baseUrl: string; pid: number; stores: string[] } = JSON.parse(firstLine);
    expect(ready).toMatchObject({ pid: server.pid, stores: ["boutique"] });
    expect((await fetch(`${ready.baseUrl}/healthz`)).status).toBe(200);
    expect((await fetch(`${ready.baseUrl}/bridge/v1/pay`)).status).toBe(404);
    expect(firstLine).not.toMatch(/cs_|svc_sk|whsec|secret/);
  });

  it("tillkit woocommerce serve logs a service that does not answer, without secrets and personal data", async () => {
    const { baseUrl }: { baseUrl: string } = JSON.parse(firstLine);
    fake.setPlugin({ checkoutServerUrl: baseUrl, storeId: "boutique", linkSecret: LINK_SECRET });
    const link = fake.payLink(fake.shop.placeOrder({ total: "5000" }).id);
    fake.setPlugin(null);
    const answer = await fetch(link, { redirect: "manual" });
    const page = await answer.text();
    expect(answer.status).toBe(503);
    await waitFor(() => expect(errorOutput).toContain("woo.pay_failed"));
    const secrets = [fake.consumerKey, fake.consumerSecret, LINK_SECRET, "svc_sk_", "whsec_", "a key of the tests"];
    for (const secret of secrets) expect(errorOutput + page).not.toContain(secret);
    const shoppersEmailOrPhone = /awa\.diop|221771234567/;
    expect(errorOutput + page).not.toMatch(shoppersEmailOrPhone);
  });

  it("tillkit woocommerce serve exits with code 0 when it is stopped", async () => {
    const ended = new Promise((resolve) => server.on("exit", (code, signal) => resolve({ code, signal })));
    server.kill("SIGTERM");
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  it.each([
    [["woocommerce", "serve"], 2, "--config <file>"],
    [["woocommerce", "dance", "--config", "x"], 2, "use tillkit woocommerce serve or tillkit woocommerce recover"],
    [["woocommerce", "recover", "--config", "x"], 2, "--since 2026-01-31T02:00:00Z"],
    [["woocommerce", "recover", "--config", "x", "--since", "2026-01-31T02:00"], 2, "--since 2026-01-31T02:00:00Z"],
    [["woocommerce", "serve", "--config", "/no/such/file.json"], 1, "cannot be read (ENOENT)"],
  ])("the invalid command line %j gets one sentence", async (args, code, sentence) => {
    const result = await tillkit(...args);
    expect(result).toMatchObject({ code, out: "" });
    expect(result.error).toContain(sentence);
  });

  it("tillkit woocommerce serve names every mistake of a configuration, and no secret", async () => {
    const mistakes = { consumerKey: "cs_swapped_secret", currencies: [] };
    const invalid = await writeConfig("invalid.json", { store: mistakes });
    process.env.TILLKIT_TEST_CS = fake.consumerSecret;
    const { code, error } = await tillkit("woocommerce", "serve", "--config", invalid);
    expect(code).toBe(1);
    expect(error.trim().split("\n")).toHaveLength(2);
    expect(error).not.toContain("swapped");
  });
});

describe("a configuration that cannot run", () => {
  const errorOf = async (change: object) => {
    process.env.TILLKIT_TEST_CS = fake.consumerSecret;
    const file = await writeConfig("invalid.json", { config: change });
    const { code, out, error } = await tillkit("woocommerce", "serve", "--config", file);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    return error;
  };

  it.each([
    [{ operators: { tokens: [] } }, "operators.tokens must name at least one secret of at least 32 random characters"],
    [{ retention: 3 }, 'retention must be "off", or { "days": 90 } with a whole number of 7 or more.'],
    [{ retention: { days: 3 } }, "retention.days must be 7 or more."],
    [{ alerts: { everyMs: 0 } }, "alerts.everyMs must be 1 or more."],
    [{ listen: { host: "203.0.113.7", port: 0 } }, "cannot be opened: this machine does not have this address."],
  ])("the invalid configuration %j gets an error that says what to write", async (change, sentence) => {
    expect(await errorOf(change)).toContain(sentence);
  });
});

describe("tillkit doctor --woocommerce", () => {
  it("tillkit doctor names what is right, what could be better and what must be fixed", async () => {
    process.env.TILLKIT_TEST_CS = fake.consumerSecret;
    fake.setRights("administrator");
    const { code, out, error } = await tillkit("doctor", "--woocommerce", "--config", config);
    expect(out).toContain("✓ boutique  address: ");
    expect(out).toContain("! boutique  rest-key: The key has access to the whole shop");
    expect(out).toContain("! boutique  plugin: The shop lacks a Tillkit route: activate the plugin");
    expect(out).toContain("✗ boutique  webhooks: A test webhook of the service did not arrive.");
    expect(out).not.toContain(fake.consumerSecret);
    expect({ code, error }).toEqual({ code: 1, error: "2 errors were found.\n" });
  });
});

/** Writes a configuration file; `config` replaces keys of it, `store` replaces keys of its only shop. Returns its path. */
async function writeConfig(
  name: string,
  { config: changedConfig = {}, store = {} }: { readonly config?: object; readonly store?: object } = {},
): Promise<string> {
  const file = join(folder, name);
  const written = {
    publicUrl: "http://127.0.0.1:9",
    listen: { port: 0 },
    database: `sqlite:${join(folder, "ledger.db")}`,
    keys: ["a key of the tests that signs links, 32+"],
    service: { baseUrl: "http://127.0.0.1:9" },
    stores: [
      {
        id: "boutique",
        url: fake.url,
        consumerKey: fake.consumerKey,
        consumerSecret: { env: "TILLKIT_TEST_CS" },
        linkSecret: LINK_SECRET,
        apiKey: "svc_sk_test_0123456789",
        webhookSecrets: ["whsec_0123456789"],
        currencies: ["XOF"],
        ...store,
      },
    ],
    ...changedConfig,
  };
  await writeFile(file, JSON.stringify(written));
  return file;
}
