import { afterEach, describe, expect, test } from "vitest";
import {
  type AppFixture,
  type AppFixtureOptions,
  formTokenIn,
  GATEWAY,
  openAppFixture,
  saveSettings,
  TEST_KEY,
  WEBHOOK_SECRET,
} from "./app-fixture.ts";

const fixtures: AppFixture[] = [];
afterEach(async () => {
  await Promise.all(fixtures.splice(0).map((fixture) => fixture.close()));
});

async function open(options: AppFixtureOptions = {}): Promise<AppFixture> {
  const fixture = await openAppFixture({ keys: false, ...options });
  fixtures.push(fixture);
  return fixture;
}

const LIVE_KEY = TEST_KEY.replace("_test_", "_live_");
const valid = { testKey: TEST_KEY, testSecret: WEBHOOK_SECRET };

const credentials = async ({ app }: AppFixture) => (await app.checkout.storedCredentials?.list()) ?? [];
const timesConfigured = ({ shop }: AppFixture) => shop.record.callsOf("paymentsAppConfigure").length;

describe("the settings of a shop", () => {
  test("saving a test key reports the shop as ready to Shopify", async () => {
    const fixture = await open();
    expect((await saveSettings(fixture, valid)).status).toBe(303);
    expect(fixture.shop.gateway).toEqual({ ready: true, externalHandle: "acme (test)" });
    expect(await credentials(fixture)).toMatchObject([
      { environment: "test", storeIds: ["acme.myshopify.com"], endpointId: "test_acme", webhookSecrets: 1 },
    ]);
  });

  test("a saved key is never shown again and is stored encrypted only", async () => {
    const fixture = await open();
    await saveSettings(fixture, valid);
    const { text } = await fixture.shop.install();
    expect(text).toContain(`${fixture.url}/hooks/service/test_acme`);
    expect(text).toContain(`${fixture.url}/hooks/service/live_acme`);
    for (const kind of ["shopify-shop", "credential"]) {
      expect(JSON.stringify(await fixture.ledger.records.list({ kind, limit: 100 }))).not.toContain(TEST_KEY);
    }
    for (const secret of [TEST_KEY, WEBHOOK_SECRET]) {
      expect(text).not.toContain(secret);
      expect(JSON.stringify(fixture.lines)).not.toContain(secret);
    }
  });

  test("test and live keys are stored separately", async () => {
    const fixture = await open();
    await saveSettings(fixture, { ...valid, liveKey: LIVE_KEY, liveSecret: "whsec_live_0123456789" });
    expect(
      (await credentials(fixture)).map(({ environment, endpointId }) => `${environment} ${endpointId}`).sort(),
    ).toEqual(["live live_acme", "test test_acme"]);
    expect(fixture.shop.gateway.externalHandle).toBe("acme (live, test)");
  });

  test("empty key fields keep the stored key", async () => {
    const fixture = await open();
    await saveSettings(fixture, valid);
    expect((await saveSettings(fixture, {})).status).toBe(303);
    expect(await credentials(fixture)).toHaveLength(1);
    expect(fixture.shop.gateway.ready).toBe(true);
  });

  test.each([
    [{ logoUrl: "http://shop.example/logo.png" }, "The address of the logo must begin with https://."],
    [{ logoUrl: "logo.png" }, "The address of the logo must be a whole address"],
    [{ color: "green" }, "The colour needs # and six digits"],
  ])("the look %j is refused in one sentence and nothing is saved", async (look, sentence) => {
    const fixture = await open();
    const response = await saveSettings(fixture, { ...valid, ...look });
    expect(response.status).toBe(422);
    expect(await response.text()).toContain(sentence);
    expect(await credentials(fixture)).toEqual([]);
  });

  test("the owner can pause and resume payments", async () => {
    const fixture = await open();
    await saveSettings(fixture, valid);
    await saveSettings(fixture, { paused: "yes" });
    expect(fixture.shop.gateway.ready).toBe(false);
    await saveSettings(fixture, {});
    expect(fixture.shop.gateway.ready).toBe(true);
  });

  test.each([
    ["a live key in the test field", { testKey: LIVE_KEY, testSecret: WEBHOOK_SECRET }, "is a key of the other mode"],
    ["a publishable key", { testKey: "svc_pk_test_0123456789", testSecret: WEBHOOK_SECRET }, "is not a secret key"],
    ["a key whose webhook cannot be registered", { testKey: TEST_KEY }, "could not be registered"],
    ["a secret without its key", { testSecret: WEBHOOK_SECRET }, "enter the secret key too"],
    ["an invalid webhook secret", { testKey: TEST_KEY, testSecret: "secret" }, "begins with whsec_"],
  ])("the settings are rejected with %s", async (_mistake, fields, sentence) => {
    const fixture = await open();
    const answer = await saveSettings(fixture, fields);
    expect(answer.status).toBe(422);
    const text = await answer.text();
    expect(text).toContain(sentence);
    for (const value of Object.values(fields)) expect(text).not.toContain(`"${value}"`);
    expect(await credentials(fixture)).toEqual([]);
    expect(timesConfigured(fixture)).toBe(0);
  });

  test("the settings of order mode require the name of the payment method", async () => {
    const fixture = await open({ mode: "order" });
    const answer = await saveSettings(fixture, { gatewayName: " " });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("Enter the name of the manual payment method");
    expect((await saveSettings(fixture, { gatewayName: GATEWAY, ...valid })).headers.get("location")).toBe(
      "/shopify/settings?done=no_webhook",
    );
    expect(timesConfigured(fixture)).toBe(0);
  });

  test("the settings are saved when Shopify cannot be informed, and the page says what to do", async () => {
    const fixture = await open();
    fixture.simulator.faults.add({ on: "paymentsAppConfigure", status: 503 });
    const answer = await saveSettings(fixture, valid);
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("Save again in a minute");
    expect(await credentials(fixture)).toHaveLength(1);
    expect((await saveSettings(fixture, {})).status).toBe(303);
    expect(fixture.shop.gateway.ready).toBe(true);
  });

  test("a shop with saved settings is ready again after a new installation", async () => {
    const fixture = await open();
    await saveSettings(fixture, valid);
    fixture.shop.uninstall();
    await fixture.simulator.webhooks.settled();
    await fixture.app.runDue();
    await fixture.clock.advance(1_000);
    await fixture.shop.install();
    expect(fixture.shop.gateway.ready).toBe(true);
  });

  test("the settings page is in French or English, runs only Polaris, works without it and cannot be framed", async () => {
    const fixture = await open();
    const { cookies } = await fixture.shop.install();
    const page = async (lang: string) =>
      await fetch(`${fixture.url}/shopify/settings?lang=${lang}`, { headers: { Cookie: cookies } });
    expect(await (await page("fr")).text()).toContain("Réglages du paiement");
    const english = await page("en");
    const policy = english.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src https://cdn.shopify.com/shopifycloud/;");
    expect(policy).toContain(`form-action 'self' ${new URL(fixture.shop.origin).origin}`);
    expect(english.headers.get("cache-control")).toBe("no-store");
    const text = await english.text();
    expect(text).toContain("Payment settings");
    const scripts = [...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(scripts).toEqual(['<script src="https://cdn.shopify.com/shopifycloud/polaris-1.js" defer>']);
    // The browser's own fields and buttons are what the form sends: no element of Polaris has to be drawn for it.
    for (const name of ["testKey", "testSecret", "liveKey", "liveSecret", "paused"]) {
      expect(text).toMatch(new RegExp(`<input [^>]*name="${name}"`));
    }
    expect(text).toContain('<button name="do" value="save">');
  });
});

describe("access to the settings", () => {
  test("the settings are closed to a browser that did not come from the shop's admin in the last two hours", async () => {
    const fixture = await open();
    const { cookies, text } = await fixture.shop.install();
    const get = async (cookie: string) =>
      (await fetch(`${fixture.url}/shopify/settings`, { headers: { Cookie: cookie } })).status;
    expect(await get("")).toBe(403);
    expect(await get("tillkit_shop=eHk.1.abc")).toBe(403);
    expect(await get(cookies)).toBe(200);
    await fixture.clock.advance(2 * 3_600_000);
    expect(await get(cookies)).toBe(403);
    const lateForm = {
      method: "POST",
      headers: { Cookie: cookies },
      body: new URLSearchParams({ form: formTokenIn(text), ...valid }),
    };
    expect((await fetch(`${fixture.url}/shopify/settings`, lateForm)).status).toBe(403);
  });

  test("a form that another site submits is rejected", async () => {
    const fixture = await open();
    const { cookies } = await fixture.shop.install();
    for (const form of ["", "forged", "YWNtZQ.99999999999999.abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrs"]) {
      const body = new URLSearchParams({ form, do: "save", ...valid });
      const answer = await fetch(`${fixture.url}/shopify/settings`, {
        method: "POST",
        headers: { Cookie: cookies },
        body,
      });
      expect(answer.status).toBe(403);
    }
    expect(await credentials(fixture)).toEqual([]);
  });

  test("the owner of one shop cannot submit the form of another shop", async () => {
    const fixture = await open();
    const other = fixture.simulator.openShop("other");
    const theirs = await other.install();
    const ours = await fixture.shop.install();
    const body = new URLSearchParams({ form: formTokenIn(ours.text), do: "save", ...valid });
    const answer = await fetch(`${fixture.url}/shopify/settings`, {
      method: "POST",
      headers: { Cookie: theirs.cookies },
      body,
    });
    expect(answer.status).toBe(403);
    expect(await credentials(fixture)).toEqual([]);
  });

  test("the settings are closed to the owner of a shop that uninstalled the app", async () => {
    const fixture = await open();
    const { cookies } = await fixture.shop.install();
    fixture.shop.uninstall();
    await fixture.simulator.webhooks.settled();
    await fixture.app.runDue();
    expect((await fetch(`${fixture.url}/shopify/settings`, { headers: { Cookie: cookies } })).status).toBe(403);
  });
});

test("the settings page reports an API version that Shopify no longer supports", async () => {
  const fixture = await open();
  await saveSettings(fixture, valid);
  const row = { version: "2026-07", supported: false };
  await fixture.ledger.records.put("", "shopify-versions", fixture.simulator.app.clientId, row, "new");
  expect((await fixture.shop.install()).text).toContain("2026-07");
});

test("a settings page that fails because of the database is reported in the log", async () => {
  const fixture = await open();
  const { cookies } = await fixture.shop.install();
  Object.assign(fixture.ledger.records, { get: () => Promise.reject(new Error("the disk is full")) });
  const answer = await fetch(`${fixture.url}/shopify/settings`, { headers: { Cookie: cookies } });
  const sentence = "This request failed because of an internal error: try again in a minute.\n";
  expect([answer.status, await answer.text()]).toEqual([500, sentence]);
  const reported = fixture.lines.filter(({ message }) => message === "request.failed");
  expect(reported).toMatchObject([{ level: "error", fields: { code: "unexpected" } }]);
});

test("the answer to an unreadable request does not reveal where the program is installed", async () => {
  const fixture = await open();
  const tooLarge = { method: "POST", body: "x".repeat(3_000_000) };
  const packed = { method: "POST", body: "x", headers: { "Content-Encoding": "unheard-of" } };
  for (const [request, status] of [
    [tooLarge, 413],
    [packed, 415],
  ] as const) {
    const answer = await fetch(`${fixture.url}/shopify/webhooks`, request);
    const sentence = "This request cannot be read: check the link, and that the request is complete.\n";
    expect([answer.status, await answer.text()]).toEqual([status, sentence]);
  }
});

test("the newest notice is on the settings page, even after several pages of notices", async () => {
  const fixture = await open();
  const adapter = await fixture.app.checkout.engine.store(fixture.shop.domain);
  for (let order = 1; order <= 600; order += 1) {
    await adapter.addNote?.(
      { storeId: fixture.shop.domain, orderId: `group ${String(order).padStart(3, "0")}` },
      "key",
      "an old note",
    );
  }
  await fixture.clock.advance(1_000);
  await adapter.addNote?.({ storeId: fixture.shop.domain, orderId: "group 999" }, "key", "the newest note");
  expect((await fixture.shop.install()).text).toContain("the newest note");
});
