import { createServiceClient } from "@tillkit/client";
import { type Ledger, silentLog, systemClock, systemRandom } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadWebhookSecrets } from "../src/runtime/webhook-secrets.ts";

const MEDUSA_URL = "https://medusa.example";

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

const loadSecrets = (
  registerWebhookAt: string | undefined,
  webhookSecrets: string[] = [],
  targetLedger = ledger,
  apiKey = sandbox.keys.test.secret,
) =>
  loadWebhookSecrets({
    options: { apiKey, storeId: "medusa", endpointId: "medusa", webhookSecrets, registerWebhookAt },
    environment: "test",
    ledger: targetLedger,
    client: client(),
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
  });

async function endpointUrls() {
  const urls: (string | undefined)[] = [];
  for await (const { url } of client().webhooks.list()) urls.push(url);
  return urls;
}

describe("the webhook's secret", () => {
  it("the configured secret is used and no webhook is registered without registerWebhookAt", async () => {
    expect(await loadSecrets(undefined, ["whsec_own"])).toEqual(["whsec_own"]);
    expect(await endpointUrls()).toEqual([]);
  });

  it("the webhook is registered once, at the first boot, and its secret is stored", async () => {
    const [first] = await loadSecrets(MEDUSA_URL);
    expect(first).toMatch(/^whsec_/);
    expect(await loadSecrets(MEDUSA_URL, ["whsec_old"])).toEqual([first, "whsec_old"]);
    expect(await endpointUrls()).toEqual([`${MEDUSA_URL}/tillkit/webhooks/medusa`]);
  });

  it("several processes that boot together share one secret", async () => {
    const all = await Promise.all([loadSecrets(MEDUSA_URL), loadSecrets(`${MEDUSA_URL}/`), loadSecrets(MEDUSA_URL)]);
    expect(new Set(all.map(([secret]) => secret)).size).toBe(1);
    expect(await endpointUrls()).toHaveLength(1);
  });

  it("the secret is rotated when the URL is registered and the secret is lost", async () => {
    const [lost] = await loadSecrets(MEDUSA_URL);
    const other = await openLedger("sqlite::memory:", { secretKeys: ["a key of the tests, long enough to seal with"] });
    const [rotated] = await loadSecrets(MEDUSA_URL, [], other);
    await other.close();
    expect(rotated).toMatch(/^whsec_/);
    expect(rotated).not.toBe(lost);
    expect(await endpointUrls()).toHaveLength(1);
  });

  it("the key of another account registers a new webhook, and another key of the same account keeps the webhook", async () => {
    const [first] = await loadSecrets(MEDUSA_URL);
    expect(await loadSecrets(MEDUSA_URL, [], ledger, "svc_sk_test_another_of_this_account")).toEqual([first]);
    const firstSandbox = sandbox;
    sandbox = await createSandbox();
    await firstSandbox.close();
    const [secretOfOtherAccount] = await loadSecrets(MEDUSA_URL, [], ledger, sandbox.keys.test.secret);
    expect(secretOfOtherAccount).toMatch(/^whsec_/);
    expect(secretOfOtherAccount).not.toBe(first);
    expect(await endpointUrls()).toHaveLength(1);
  });

  it("a new address of Medusa registers a new webhook", async () => {
    await loadSecrets(MEDUSA_URL);
    await loadSecrets("https://new.example");
    expect((await endpointUrls()).sort()).toEqual([
      `${MEDUSA_URL}/tillkit/webhooks/medusa`,
      "https://new.example/tillkit/webhooks/medusa",
    ]);
  });
});
