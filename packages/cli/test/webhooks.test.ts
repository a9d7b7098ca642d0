import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { tillkit } from "./tillkit.ts";

const ENDPOINT_URL = "https://shop.example/tillkit/webhooks/medusa";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
  vi.stubEnv("SERVICE_SECRET_KEY", sandbox.keys.test.secret);
  vi.stubEnv("SERVICE_BASE_URL", "");
  vi.stubEnv("XDG_CONFIG_HOME", "/nonexistent"); // no profile of the person who runs the tests
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await sandbox.close();
});

const create = (...more: string[]) =>
  tillkit("webhooks", "create", "--service", sandbox.baseUrl, "--url", ENDPOINT_URL, ...more);

describe("tillkit webhooks create", () => {
  it("tillkit webhooks create registers an address once and shows its secret once", async () => {
    const { code, out } = await create("--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      url: ENDPOINT_URL,
      environment: "test",
      secret: expect.stringMatching(/^whsec_/),
    });
    expect(JSON.parse(out).events).toContain("REFUND_FAILED");
    const again = await create();
    expect([again.code, again.out]).toEqual([1, ""]);
    expect(again.error).toContain("add --rotate");
  });

  it("tillkit webhooks create --rotate gives a registered address a new secret", async () => {
    const first = JSON.parse((await create("--json", "--rotate")).out);
    const { out } = await create("--rotate", "--event", "PAYMENT_SUCCEEDED");
    expect(out).toContain(first.id);
    expect(out).toContain("Events: PAYMENT_SUCCEEDED.");
    expect(out).toMatch(/whsec_/);
    expect(out).not.toContain(first.secret);
  });

  it.each([
    [["webhooks", "frobnicate"], "use tillkit webhooks create"],
    [["webhooks", "create"], "--url <address>"],
    [["webhooks", "create", "--url", ENDPOINT_URL], "--service <url>"],
  ])("the invalid command line %j gets one sentence", async (args, sentence) => {
    const { code, error } = await tillkit(...args);
    expect(code).toBe(2);
    expect(error).toContain(sentence);
  });

  it("tillkit webhooks create takes the key from the environment, where other users cannot read it", async () => {
    vi.stubEnv("SERVICE_SECRET_KEY", "");
    expect((await create()).error).toContain("environment variable SERVICE_SECRET_KEY");
    vi.stubEnv("SERVICE_SECRET_KEY", sandbox.keys.test.secret);
  });
});
