import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCertificateAuthority, type IssuedCertificate } from "@tillkit/shopify-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildProgram } from "./build-program.ts";
import { linesOf, startProgram } from "./program.ts";
import { tillkit } from "./tillkit.ts";

const SECRET = "shpss_of_the_tests_0123456789";
const KEY = "0123456789abcdef0123456789abcdef";

const shopifyAuthority = createCertificateAuthority("Payments Platform of the tests");
const serverAuthority = createCertificateAuthority("The server's own");

let folder: string;
let config: string;
let server: ChildProcess;
let ready: { baseUrl: string; publicUrl: string; mode: string; apiVersion: string; pid: number };
let firstLine: string;

async function writeConfig(name: string, change: object): Promise<string> {
  const file = join(folder, name);
  const { cert, key } = serverAuthority.issue("127.0.0.1", ["127.0.0.1"]);
  const pems = { "tls.pem": cert, "tls.key": key, "shopify-ca.pem": shopifyAuthority.certificate };
  for (const [pem, text] of Object.entries(pems)) await writeFile(join(folder, pem), text);
  const tls = {
    cert: join(folder, "tls.pem"),
    key: join(folder, "tls.key"),
    clientCa: [join(folder, "shopify-ca.pem")],
  };
  const written = {
    publicUrl: "https://pay.example.com",
    listen: { port: 0, tls },
    database: `sqlite:${join(folder, "ledger.db")}`,
    secretKeys: [KEY],
    keys: [KEY],
    service: { baseUrl: "http://127.0.0.1:9" },
    app: { mode: "offsite", clientId: "client-of-the-tests", clientSecret: { env: "TILLKIT_TEST_SHOPIFY" } },
    ...change,
  };
  await writeFile(file, JSON.stringify(written));
  return file;
}

beforeAll(async () => {
  await buildProgram();
  folder = await mkdtemp(join(tmpdir(), "tillkit-shopify-"));
  config = await writeConfig("shopify.json", {});
  server = startProgram(["shopify", "serve", "--json", "--config", config], { env: { TILLKIT_TEST_SHOPIFY: SECRET } });
  firstLine = (await linesOf(server).next()).value;
  ready = JSON.parse(firstLine);
});

afterAll(async () => {
  server.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** The status of a request with this client certificate, or with none. */
async function statusOf(path: string, certificate: IssuedCertificate | null, method = "GET"): Promise<number> {
  const options = { method, ca: [serverAuthority.certificate], agent: false, ...certificate };
  const sent = request(new URL(path, ready.baseUrl), options).end();
  const [response] = await once(sent, "response");
  response.resume();
  return response.statusCode;
}

describe("tillkit shopify serve", () => {
  it("tillkit shopify serve prints its address in the first line, and no secret", () => {
    expect(ready).toMatchObject({
      baseUrl: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
      publicUrl: "https://pay.example.com",
      mode: "offsite",
      apiVersion: "2026-07",
      pid: server.pid,
    });
    for (const secret of [SECRET, KEY]) expect(firstLine).not.toContain(secret);
  });

  it("tillkit shopify serve shows its pages to everyone, and only Shopify can post a session", async () => {
    const stranger = createCertificateAuthority("Payments Platform of the tests").issue("Shopify");
    expect(await statusOf("/healthz", null)).toBe(200);
    expect(await statusOf("/shopify", null)).toBe(400);
    for (const path of ["payment", "refund", "capture", "void"]) {
      expect(await statusOf(`/shopify/${path}`, null, "POST")).toBe(401);
      expect(await statusOf(`/shopify/${path}`, stranger, "POST")).toBe(401);
      expect(await statusOf(`/shopify/${path}`, shopifyAuthority.issue("Shopify"), "POST")).toBe(400);
    }
    expect(await statusOf("/shopify/webhooks", null, "POST")).toBe(401);
  });

  it("tillkit shopify serve exits with code 0 when it is stopped", async () => {
    const ended = once(server, "exit");
    server.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  it.each([
    [["shopify", "serve"], 2, "--config <file>"],
    [["shopify", "dance", "--config", "x"], 2, "tillkit shopify serve, init or recover"],
    [["shopify", "serve", "--config", "/no/such/file.json"], 1, "cannot be read (ENOENT)"],
  ])("the invalid command line %j gets one sentence", async (args, code, sentence) => {
    const result = await tillkit(...args);
    expect(result).toMatchObject({ code, out: "" });
    expect(result.error).toContain(sentence);
  });

  it("tillkit shopify recover says that there is nothing to recover where no shop is installed", async () => {
    process.env.TILLKIT_TEST_SHOPIFY = SECRET;
    const empty = await writeConfig("empty.json", { database: `sqlite:${join(folder, "restored.db")}` });
    expect(await tillkit("shopify", "recover", "--config", empty, "--since", "2026-01-31")).toEqual({
      code: 1,
      out: "",
      error: "No shop has a key of the service: there is nothing to recover.\n",
    });
  });

  it("tillkit shopify serve does not start without its certificate files", async () => {
    process.env.TILLKIT_TEST_SHOPIFY = SECRET;
    const tls = { cert: "/no/such.pem", key: "/no/such.key", clientCa: ["/no/such-ca.pem"] };
    const invalid = await writeConfig("invalid.json", { listen: { port: 0, tls } });
    const { code, error } = await tillkit("shopify", "serve", "--config", invalid);
    expect(code).toBe(1);
    for (const file of ["/no/such.pem", "/no/such.key", "/no/such-ca.pem"]) {
      expect(error).toContain(`The file ${file} of listen.tls cannot be read (ENOENT).`);
    }
  });

  it("tillkit shopify serve does not start with invalid certificates or with the key of another certificate", async () => {
    process.env.TILLKIT_TEST_SHOPIFY = SECRET;
    const junk = join(folder, "junk.pem");
    const validCert = join(folder, "tls.pem");
    const otherKey = join(folder, "other.key");
    await writeFile(junk, "no certificate");
    await writeFile(otherKey, serverAuthority.issue("127.0.0.1").key);
    const errorOf = async ({ cert, key, ca }: { cert: string; key: string; ca: string }) => {
      const listen = { port: 0, tls: { cert, key, clientCa: [validCert, ca] } };
      const invalid = await writeConfig("invalid.json", { listen });
      const { code, error } = await tillkit("shopify", "serve", "--config", invalid);
      expect(code).toBe(1);
      return error;
    };
    const sentences = (await errorOf({ cert: junk, key: junk, ca: junk })).trim().split("\n");
    expect(sentences).toEqual([
      `The file ${junk} of listen.tls contains no certificate: it must be a PEM file.`,
      `The file ${junk} of listen.tls contains no private key that opens without a passphrase: it must be a PEM file.`,
      `The file ${junk} of listen.tls contains no certificate: it must be a PEM file.`,
    ]);
    expect(await errorOf({ cert: validCert, key: otherKey, ca: validCert })).toContain(
      `The key ${otherKey} of listen.tls does not belong to the certificate`,
    );
  });
});

describe("tillkit shopify init", () => {
  it("tillkit shopify init writes the files that Shopify's tool deploys", async () => {
    process.env.TILLKIT_TEST_SHOPIFY = SECRET;
    const { code, out } = await tillkit("shopify", "init", "--config", config, "--out", join(folder, "app"));
    expect(code).toBe(0);
    expect(out).toContain("shopify.app.toml");
    const toml = await readFile(join(folder, "app", "shopify.app.toml"), "utf8");
    expect(toml).toContain('client_id = "client-of-the-tests"');
    expect(toml).not.toContain(SECRET);
  });
});
