import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { tillkit } from "./tillkit.ts";

const URL = "https://shop.example/tillkit/webhooks/medusa";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
  vi.stubEnv("SERVICE_SECRET_KEY", sandbox.keys.test.secret);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await sandbox.close();
});

const create = (...more: string[]) =>
  tillkit("webhooks", "create", "--service", sandbox.baseUrl, "--url", URL, ...more);

describe("tillkit webhooks create", () => {
  it("registers an address once, and shows its secret once", async () => {
    const { code, out } = await create("--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ url: URL, environment: "test", secret: expect.stringMatching(/^whsec_/) });
    expect(JSON.parse(out).events).toContain("REFUND_FAILED");
    const again = await create();
    expect([again.code, again.out]).toEqual([1, ""]);
    expect(again.error).toContain("add --rotate");
  });

  it("gives an address a new secret when it is asked to", async () => {
    const first = JSON.parse((await create("--json", "--rotate")).out);
    const { out } = await create("--rotate", "--event", "PAYMENT_SUCCEEDED");
    expect(out).toContain(first.id);
    expect(out).toContain("Hears of PAYMENT_SUCCEEDED.");
    expect(out).toMatch(/whsec_/);
    expect(out).not.toContain(first.secret);
  });

  it.each([
    [["webhooks", "delete"], "can only be created"],
    [["webhooks", "create"], "--url ADDRESS"],
    [["webhooks", "create", "--url", URL], "--service ADDRESS"],
  ])("refuses %j in one sentence", async (args, sentence) => {
    const { code, error } = await tillkit(...args);
    expect(code).toBe(2);
    expect(error).toContain(sentence);
  });

  it("wants the key in the environment, where no list of programs shows it", async () => {
    vi.stubEnv("SERVICE_SECRET_KEY", "");
    expect((await create()).error).toContain("environment variable SERVICE_SECRET_KEY");
    vi.stubEnv("SERVICE_SECRET_KEY", sandbox.keys.test.secret);
  });
});
