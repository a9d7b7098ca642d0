import { createRequire } from "node:module";
import { createContext, runInContext } from "node:vm";
import { beforeAll, describe, expect, test } from "vitest";
import {
  neverResponds,
  responds,
  respondsWithError,
  SESSION,
  startFaultServer,
  truncatesBody,
} from "./fault-server.ts";
import { TEST_KEY } from "./test-client.ts";
import vectors from "./vectors/events.json" with { type: "json" };

/** The globals of an edge function, without those of Node. */
const WEB_GLOBALS = {
  fetch,
  crypto,
  URL,
  URLSearchParams,
  TextEncoder,
  TextDecoder,
  AbortController,
  setTimeout,
  clearTimeout,
};

const ENTRY = `
  import { createServiceClient } from "@tillkit/client/fetch";
  import { parseEvent, signWebhook, verifyWebhook } from "@tillkit/client/webhooks/web";
  globalThis.entry = { createServiceClient, parseEvent, signWebhook, verifyWebhook };
`;

type Build = (options: Record<string, unknown>) => Promise<{ outputFiles: readonly { text: string }[] }>;

/** esbuild is a dependency of tsup, not of this repository. */
const require = createRequire(import.meta.url);
const { build } = createRequire(require.resolve("tsup"))("esbuild") as { build: Build };

type Entry = typeof import("@tillkit/client/fetch") & typeof import("@tillkit/client/webhooks/web");
let entry: Entry;
let bundleSize = 0;

beforeAll(async () => {
  const bundle = await build({
    stdin: { contents: ENTRY, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    platform: "browser",
    conditions: ["@tillkit/source"],
  });
  const code = bundle.outputFiles[0]?.text ?? "";
  bundleSize = code.length;
  const context = createContext({ ...WEB_GLOBALS });
  runInContext(code, context);
  entry = context.entry as Entry;
});

function fetchClient(baseUrl: string, deadlineMs = 5000) {
  return entry.createServiceClient({ apiKey: TEST_KEY, baseUrl, deadlineMs });
}

describe("the client and the webhooks bundled for edge functions", () => {
  test("the bundle stays small because it contains no schema library", () => {
    expect(bundleSize).toBeGreaterThan(5_000);
    expect(bundleSize).toBeLessThan(48_000);
  });

  test("the bundled client creates a session under one key although the service fails twice", async () => {
    const service = await startFaultServer(
      respondsWithError(503, "service_unavailable"),
      truncatesBody,
      responds(201, SESSION),
    );
    const client = fetchClient(service.baseUrl);
    const response = await client.checkoutSessions.create({ amount: 25000 }, { idempotencyKey: "payment-0001" });
    expect(response.data.url).toBe(SESSION.checkout_url);
    expect(service.received.map((request) => request.headers["idempotency-key"])).toEqual(
      Array(3).fill("payment-0001"),
    );
  });

  test("the bundled client throws after silence, a redirect and a response that is too large", async () => {
    const silent = await startFaultServer(neverResponds);
    const reading = fetchClient(silent.baseUrl, 60).checkoutSessions.read(SESSION.id);
    await expect(reading).rejects.toMatchObject({ code: "deadline_exceeded" });

    const elsewhere = await startFaultServer(responds(302, "", { location: "https://elsewhere.example" }));
    const redirected = fetchClient(elsewhere.baseUrl).checkoutSessions.read(SESSION.id);
    await expect(redirected).rejects.toMatchObject({ code: "response_unreadable" });

    const large = await startFaultServer(responds(200, `"${"a".repeat(9 * 1024 * 1024)}"`));
    const flooded = fetchClient(large.baseUrl).checkoutSessions.read(SESSION.id);
    await expect(flooded).rejects.toMatchObject({ code: "response_too_large" });
  });

  test("the bundled client throws connection_failed when nothing listens", async () => {
    const reading = fetchClient("http://127.0.0.1:1", 400).checkoutSessions.read(SESSION.id);
    await expect(reading).rejects.toMatchObject({ code: "connection_failed" });
  });

  test.each(vectors.events.map((vector) => [vector.event, vector] as const))(
    "the bundle verifies the signature of %s",
    async (name, vector) => {
      const raw = new TextEncoder().encode(vector.raw);
      const delivery = { bytes: raw, signature: vector.signature, secrets: ["whsec_new", vectors.secret] };
      expect(await entry.signWebhook(raw, vectors.secret)).toBe(vector.signature);
      expect(await entry.verifyWebhook(delivery)).toMatchObject({ secretIndex: 1 });
      expect(entry.parseEvent(raw)?.event).toBe(name);
    },
  );

  test("the bundle rejects a forged, a repeated and a missing signature, and an empty secret", async () => {
    const raw = new TextEncoder().encode("{}");
    const signature = await entry.signWebhook(raw, vectors.secret);
    const verify = (header: string | readonly string[] | undefined, secrets: readonly string[]) =>
      entry.verifyWebhook({ bytes: raw, signature: header, secrets });
    const forged = signature.replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
    expect(await verify(forged, [vectors.secret])).toBeNull();
    expect(await verify([signature, signature], [vectors.secret])).toBeNull();
    expect(await verify(undefined, [vectors.secret])).toBeNull();
    expect(await verify(signature, [""])).toBeNull();
  });
});
