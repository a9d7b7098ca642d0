import { createServiceClient } from "@tillkit/client";
import { type Ledger, silentLog, systemClock, systemRandom } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { webhookSecretsOf } from "../src/till/webhook-secrets.ts";

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
  webhookSecretsOf({
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
  it("is the shop's own, and nobody is asked, unless the plugin is told to register", async () => {
    expect(await secrets(undefined, ["whsec_own"])).toEqual(["whsec_own"]);
    expect(await endpoints()).toEqual([]);
  });

  it("is asked for once, at the first boot, and remembered", async () => {
    const [first] = await secrets(AT);
    expect(first).toMatch(/^whsec_/);
    expect(await secrets(AT, ["whsec_old"])).toEqual([first, "whsec_old"]);
    expect(await endpoints()).toEqual([`${AT}/tillkit/webhooks/medusa`]);
  });

  it("is one secret when several processes boot together", async () => {
    const all = await Promise.all([secrets(AT), secrets(`${AT}/`), secrets(AT)]);
    expect(new Set(all.map(([secret]) => secret)).size).toBe(1);
    expect(await endpoints()).toHaveLength(1);
  });

  it("is renewed where the address is registered and the secret is lost", async () => {
    const [lost] = await secrets(AT);
    const other = await openLedger("sqlite::memory:", { secretKeys: ["a key of the tests, long enough to seal with"] });
    const [found] = await secrets(AT, [], other);
    await other.close();
    expect(found).toMatch(/^whsec_/);
    expect(found).not.toBe(lost);
    expect(await endpoints()).toHaveLength(1);
  });

  it("is asked for anew where the key is another account's, and kept where it is only another key", async () => {
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

  it("moves with the shop's address", async () => {
    await secrets(AT);
    await secrets("https://new.example");
    expect((await endpoints()).sort()).toEqual([
      `${AT}/tillkit/webhooks/medusa`,
      "https://new.example/tillkit/webhooks/medusa",
    ]);
  });
});
