import { signWebhook } from "@tillkit/client/webhooks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createCheckoutServer } from "../src/index.ts";
import { type FixtureOptions, type MerchantFixture, openMerchant, WEBHOOK_SECRET } from "./fixtures/merchant.ts";
import { logInOperator, OPERATOR_TOKEN, textOf } from "./fixtures/operator.ts";

const OTHER_SECRET = "whsec_of_the_dashboard";
const METRICS_TOKEN = "a token of the scraper that is long enough";

let merchant: MerchantFixture;
const open = async (options: FixtureOptions["options"] = {}) => {
  const metrics = { token: METRICS_TOKEN };
  merchant = await openMerchant({ options: { operators: { tokens: [OPERATOR_TOKEN] }, metrics, ...options } });
};
beforeEach(() => open());
afterEach(() => merchant.close());
afterEach(() => vi.unstubAllEnvs());

const readWarnings = async () => {
  const { warnings = [] } = (await (await merchant.get("/readyz")).json()) as {
    warnings?: { code: string; message: string }[];
  };
  return warnings;
};
const linesOf = (name: string) => merchant.lines.filter(({ message }) => message === name);

async function deliver(secret: string, sessionId: string): Promise<number> {
  const event = { id: crypto.randomUUID(), event: "PAYMENT_SUCCEEDED", data: { checkout_session_id: sessionId } };
  const body = Buffer.from(JSON.stringify(event));
  const headers = { "x-service-signature": signWebhook(body, secret) };
  return (await merchant.get("/hooks/service/boutique-test", { method: "POST", body, headers })).status;
}

describe("webhooks that this server refuses", () => {
  test("a webhook about a payment is logged, shown on every page of state, and named with its variable", async () => {
    vi.stubEnv("SERVICE_WEBHOOK_SECRET", WEBHOOK_SECRET);
    await merchant.startPayment();
    expect(await deliver(OTHER_SECRET, merchant.service.newest().id)).toBe(401);
    await expect.poll(readWarnings).toMatchObject([{ code: "webhooks_refused" }]);
    const [{ message = "" } = {}] = await readWarnings();
    expect(message).toContain("does not match SERVICE_WEBHOOK_SECRET");
    expect(message).toContain("tillkit webhooks rotate");
    await expect
      .poll(() => linesOf("webhook.refused"))
      .toMatchObject([
        {
          level: "warn",
          fields: { code: "signature_invalid", fix: expect.stringMatching(/^SERVICE_WEBHOOK_SECRET is not/) },
        },
      ]);
    const operator = await logInOperator(merchant);
    const overview = await textOf(await operator.open("/operators"));
    expect(overview).toContain("This server refuses the webhooks of the endpoint boutique-test");
    expect(overview).not.toContain("Nothing needs your attention");
    operator.cookies.set("tillkit_language", "fr");
    expect(await textOf(await operator.open("/operators"))).toContain("Ce serveur refuse les webhooks");
    const scraped = await merchant.get("/metrics", { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    expect(await scraped.text()).toContain('tillkit_warnings{code="webhooks_refused"} 1');
  });

  test("the warning ends with the next webhook that is accepted", async () => {
    await merchant.startPayment();
    await deliver(OTHER_SECRET, merchant.service.newest().id);
    await expect.poll(readWarnings).toHaveLength(1);
    await merchant.clock.advance(1_000);
    expect(await deliver(WEBHOOK_SECRET, merchant.service.newest().id)).toBe(200);
    expect(await readWarnings()).toEqual([]);
  });

  test("a stranger who names no payment is logged once a minute, and warns nobody", async () => {
    await merchant.startPayment();
    for (let count = 0; count < 3; count += 1) await deliver(OTHER_SECRET, crypto.randomUUID());
    await expect.poll(() => linesOf("webhook.refused")).toHaveLength(1);
    expect(await readWarnings()).toEqual([]);
  });
});

describe("the API keys when a server starts", () => {
  test("a key that the service refuses is logged with the name of its variable and shown", async () => {
    vi.stubEnv("SERVICE_SECRET_KEY", "svc_sk_test_0123456789abcdefghijklmnopqrstuv");
    merchant.service.failure = { status: 401, code: "unauthorized" };
    merchant.checkout.startTimer();
    await expect.poll(readWarnings).toMatchObject([
      {
        code: "key_refused",
        message: expect.stringContaining("The service refuses SERVICE_SECRET_KEY: it was revoked"),
      },
    ]);
    await expect.poll(() => linesOf("server.warning")).toMatchObject([{ level: "error" }]);
  });

  test("a key whose accounts are of the other environment is named", async () => {
    merchant.service.accounts.push({ account_id: "acct_1", environment: "live" });
    merchant.checkout.startTimer();
    await expect
      .poll(readWarnings)
      .toMatchObject([
        { code: "key_refused", message: expect.stringContaining("answers with accounts of the other environment") },
      ]);
  });

  test("a live key that a sandbox of this machine does not know is named as one", async () => {
    const { baseUrl } = merchant.service;
    const first = merchant;
    first.service.failure = { status: 401, code: "unauthorized" };
    const apiKey = "svc_sk_live_0123456789abcdefghijklmnopqrstuv";
    const webhookSecrets = [WEBHOOK_SECRET];
    await open({
      credentials: [{ storeIds: ["boutique"], apiKey, baseUrl, endpointId: "boutique-live", webhookSecrets }],
    });
    merchant.checkout.startTimer();
    await expect
      .poll(readWarnings)
      .toMatchObject([
        { code: "key_refused", message: expect.stringContaining("is a sandbox on this machine that does not know it") },
      ]);
    await first.close();
  });

  test("a test key in production is a warning, and is refused where live keys are required", async () => {
    await merchant.close();
    await open({ production: true });
    expect(await readWarnings()).toMatchObject([{ code: "test_key" }]);
    expect(() =>
      createCheckoutServer({
        publicUrl: merchant.url,
        keys: ["a key of this merchant that is long enough"],
        ledger: merchant.ledger,
        stores: { boutique: merchant.shop.adapter },
        credentials: [
          {
            storeIds: ["boutique"],
            apiKey: "svc_sk_test_0123",
            baseUrl: merchant.service.baseUrl,
            endpointId: "boutique-test",
            webhookSecrets: [WEBHOOK_SECRET],
          },
        ],
        requireLiveKeys: true,
      }),
    ).toThrow("is a test key, and requireLiveKeys is set");
  });
});

describe("processes that share a ledger", () => {
  const otherKeys = async (keys: readonly string[]) => {
    const { ledger } = merchant;
    await readWarnings();
    const first = merchant;
    await open({ ledger, keys });
    const warnings = await readWarnings();
    await first.close();
    return warnings;
  };

  test("a process that signs with other keys is found, with what to do", async () => {
    expect(await otherKeys(["another key, which no other process of it has"])).toMatchObject([
      { code: "keys_differ", message: expect.stringContaining("Give all processes the same keys") },
    ]);
  });

  test("a process that has the newer key before the old one agrees", async () => {
    const old = "the newest key of this merchant, long enough";
    expect(await otherKeys(["a newer key of this merchant, long enough", old])).toEqual([]);
  });
});

describe("a server that looks like a copy", () => {
  test("a copied database is shown on every page of state, refunds nothing, and an operator says that the server moved", async () => {
    await merchant.startPayment();
    await merchant.ledger.records.put("", "installation", "", { known: ["pay.original.example"], others: [] }, "new");
    await expect.poll(readWarnings).toMatchObject([{ code: "copy" }]);
    const operator = await logInOperator(merchant);
    const page = await operator.open("/operators");
    const html = await page.text();
    expect(html).toContain("This looks like a copy");
    expect(html).toContain("pay.original.example");
    await operator.submit("/operators", "/installations", { answer: "moved" });
    expect(await readWarnings()).toEqual([]);
    expect(await textOf(await operator.open("/operators/acts"))).toContain("Said that the shop is at this address");
  });
});
