import { createServiceClient } from "@tillkit/client";
import { type Ledger, silentLog, systemClock, systemRandom } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadWebhookSecrets } from "../src/runtime/webhook-secrets.ts";

const AT = "https://medusa.example";

let sandbox: Sandbox;
let ledger: Ledger;
beforeEach(async () => {
  sandbox = await createSandbox();
  ledger = await openLedger("sqlite::memory:", { secretKeys: ["a key of the tests, long enough to seal with"] });
});
afterEach(async () => {
  await ledger.close();
  await sandbox.close();
});

const client = () => createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });

const secrets = (
  registerWebhookAt: string | undefined,
  webhookSecrets: string[] = [],
  on = ledger,
  apiKey = sandbox.keys.test.secret,
) =>
  loadWebhookSecrets({
    options: { apiKey, storeId: "medusa", endpointId: "medusa", webhookSecrets, registerWebhookAt },
    environment: "test",
    ledger: on,
    client: client(),
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
  });

async function endpoints() {
  const found: (string | undefined)[] = [];
  for await (const { url } of client().webhooks.list()) found.push(url);
  return found;
}

describe("the webhook's secret", () => {
  it("the configured secret is used and no webhook is registered without registerWebhookAt", async () => {
    expect(await secrets(undefined, ["whsec_own"])).toEqual(["whsec_own"]);
    expect(await endpoints()).toEqual([]);
  });

  it("the webhook is registered once, at the first boot, and its secret is stored", async () => {
    const [first] = await secrets(AT);
    expect(first).toMatch(/^whsec_/);
    expect(await secrets(AT, ["whsec_old"])).toEqual([first, "whsec_old"]);
    expect(await endpoints()).toEqual([`${AT}/tillkit/webhooks/medusa`]);
  });

  it("several processes that boot together share one secret", async () => {
    const all = await Promise.all([secrets(AT), secrets(`${AT}/`), secrets(AT)]);
    expect(new Set(all.map(([secret]) => secret)).size).toBe(1);
    expect(await endpoints()).toHaveLength(1);
  });

  it("the secret is rotated when the URL is registered and the secret is lost", async () => {
    const [lost] = await secrets(AT);
    const other = await openLedger("sqlite::memory:", { secretKeys: ["a key of the tests, long enough to seal with"] });
    const [found] = await secrets(AT, [], other);
    await other.close();
    expect(found).toMatch(/^whsec_/);
    expect(found).not.toBe(lost);
    expect(await endpoints()).toHaveLength(1);
  });

  it("the key of another account registers a new webhook, and another key of the same account keeps it", async () => {
    const [first] = await secrets(AT);
    expect(await secrets(AT, [], ledger, "svc_sk_test_another_of_this_account")).toEqual([first]);
    const before = sandbox;
    sandbox = await createSandbox();
    await before.close();
    const [found] = await secrets(AT, [], ledger, sandbox.keys.test.secret);
    expect(found).toMatch(/^whsec_/);
    expect(found).not.toBe(first);
    expect(await endpoints()).toHaveLength(1);
  });

  it("a new address of Medusa registers a new webhook", async () => {
    await secrets(AT);
    await secrets("https://new.example");
    expect((await endpoints()).sort()).toEqual([
      `${AT}/tillkit/webhooks/medusa`,
      "https://new.example/tillkit/webhooks/medusa",
    ]);
  });
});
