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

type Boot = {
  readonly registerWebhookAt?: string;
  readonly webhookSecrets?: string[];
  readonly apiKey?: string;
  readonly ledgerOfBoot?: Ledger;
};

/** Loads the secrets as one boot of Medusa does; unless changed, with the sandbox's key and the test's ledger. */
const loadSecrets = ({ registerWebhookAt, webhookSecrets = [], apiKey, ledgerOfBoot }: Boot) =>
  loadWebhookSecrets({
    options: {
      apiKey: apiKey ?? sandbox.keys.test.secret,
      storeId: "medusa",
      endpointId: "medusa",
      webhookSecrets,
      registerWebhookAt,
    },
    environment: "test",
    ledger: ledgerOfBoot ?? ledger,
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
    expect(await loadSecrets({ webhookSecrets: ["whsec_own"] })).toEqual(["whsec_own"]);
    expect(await endpointUrls()).toEqual([]);
  });

  it("the webhook is registered once, at the first boot, and its secret is stored", async () => {
    const [first] = await loadSecrets({ registerWebhookAt: MEDUSA_URL });
    expect(first).toMatch(/^whsec_/);
    const secondBoot = { registerWebhookAt: MEDUSA_URL, webhookSecrets: ["whsec_old"] };
    expect(await loadSecrets(secondBoot)).toEqual([first, "whsec_old"]);
    expect(await endpointUrls()).toEqual([`${MEDUSA_URL}/tillkit/webhooks/medusa`]);
  });

  it("several processes that boot together share one secret", async () => {
    const urls = [MEDUSA_URL, `${MEDUSA_URL}/`, MEDUSA_URL];
    const secrets = await Promise.all(urls.map((registerWebhookAt) => loadSecrets({ registerWebhookAt })));
    expect(new Set(secrets.map(([secret]) => secret)).size).toBe(1);
    expect(await endpointUrls()).toHaveLength(1);
  });

  it("the secret is rotated when the URL is registered and the secret is lost", async () => {
    const [lost] = await loadSecrets({ registerWebhookAt: MEDUSA_URL });
    const secretKeys = ["a key of the tests, long enough to seal with"];
    const emptyLedger = await openLedger("sqlite::memory:", { secretKeys });
    const [rotated] = await loadSecrets({ registerWebhookAt: MEDUSA_URL, ledgerOfBoot: emptyLedger });
    await emptyLedger.close();
    expect(rotated).toMatch(/^whsec_/);
    expect(rotated).not.toBe(lost);
    expect(await endpointUrls()).toHaveLength(1);
  });

  it("the key of another account registers a new webhook, and another key of the same account keeps the webhook", async () => {
    const registerWebhookAt = MEDUSA_URL;
    const [first] = await loadSecrets({ registerWebhookAt });
    expect(await loadSecrets({ registerWebhookAt, apiKey: "svc_sk_test_another_of_this_account" })).toEqual([first]);
    const firstSandbox = sandbox;
    sandbox = await createSandbox();
    await firstSandbox.close();
    const [secretOfOtherAccount] = await loadSecrets({ registerWebhookAt });
    expect(secretOfOtherAccount).toMatch(/^whsec_/);
    expect(secretOfOtherAccount).not.toBe(first);
    expect(await endpointUrls()).toHaveLength(1);
  });

  it("a new address of Medusa registers a new webhook", async () => {
    await loadSecrets({ registerWebhookAt: MEDUSA_URL });
    await loadSecrets({ registerWebhookAt: "https://new.example" });
    expect((await endpointUrls()).sort()).toEqual([
      `${MEDUSA_URL}/tillkit/webhooks/medusa`,
      "https://new.example/tillkit/webhooks/medusa",
    ]);
  });
});
