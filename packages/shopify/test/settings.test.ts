import { afterEach, describe, expect, test } from "vitest";
import {
  type AppWish,
  type AppWorld,
  formTokenIn,
  GATEWAY,
  openAppWorld,
  saveSettings,
  TEST_KEY,
  WEBHOOK_SECRET,
} from "./world.ts";

const worlds: AppWorld[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

async function open(wish: AppWish = {}): Promise<AppWorld> {
  const world = await openAppWorld({ keys: false, ...wish });
  worlds.push(world);
  return world;
}

const LIVE_KEY = TEST_KEY.replace("_test_", "_live_");
const right = { testKey: TEST_KEY, testSecret: WEBHOOK_SECRET };

const credentials = async ({ app }: AppWorld) => (await app.checkout.storedCredentials?.list()) ?? [];
const configured = ({ shop }: AppWorld) => shop.record.callsOf("paymentsAppConfigure").length;

describe("the settings of a shop", () => {
  test("keep a test key, tell Shopify that the shop is ready, and lead to the activation page", async () => {
    const world = await open();
    const { status, headers } = await saveSettings(world, right);
    expect(status).toBe(303);
    expect(headers.get("location")).toBe(
      `${world.shop.origin}/services/payments_partners/gateways/${world.simulator.app.clientId}/settings`,
    );
    expect(world.shop.gateway).toEqual({ ready: true, externalHandle: "acme (test)" });
    expect(await credentials(world)).toMatchObject([
      { environment: "test", storeIds: ["acme.myshopify.com"], endpointId: "test_acme", webhookSecrets: 1 },
    ]);
  });

  test("never show a key again, and keep none where somebody could read it", async () => {
    const world = await open();
    await saveSettings(world, right);
    const { text } = await world.shop.install();
    expect(text).toContain(`${world.url}/hooks/service/test_acme`);
    expect(text).toContain(`${world.url}/hooks/service/live_acme`);
    for (const kind of ["shopify-shop", "credential"]) {
      expect(JSON.stringify(await world.ledger.records.list({ kind, limit: 100 }))).not.toContain(TEST_KEY);
    }
    for (const secret of [TEST_KEY, WEBHOOK_SECRET]) {
      expect(text).not.toContain(secret);
      expect(JSON.stringify(world.lines)).not.toContain(secret);
    }
  });

  test("keep test and live apart", async () => {
    const world = await open();
    await saveSettings(world, { ...right, liveKey: LIVE_KEY, liveSecret: "whsec_live_0123456789" });
    expect(
      (await credentials(world)).map(({ environment, endpointId }) => `${environment} ${endpointId}`).sort(),
    ).toEqual(["live live_acme", "test test_acme"]);
    expect(world.shop.gateway.externalHandle).toBe("acme (live, test)");
  });

  test("left empty keep what is there", async () => {
    const world = await open();
    await saveSettings(world, right);
    expect((await saveSettings(world, {})).status).toBe(303);
    expect(await credentials(world)).toHaveLength(1);
    expect(world.shop.gateway.ready).toBe(true);
  });

  test("stop and go on at the owner's word", async () => {
    const world = await open();
    await saveSettings(world, right);
    await saveSettings(world, { paused: "yes" });
    expect(world.shop.gateway.ready).toBe(false);
    await saveSettings(world, {});
    expect(world.shop.gateway.ready).toBe(true);
  });

  test.each([
    ["a live key in the test field", { testKey: LIVE_KEY, testSecret: WEBHOOK_SECRET }, "belongs to the other mode"],
    ["a publishable key", { testKey: "svc_pk_test_0123456789", testSecret: WEBHOOK_SECRET }, "is not a secret key"],
    ["a key without its webhook secret", { testKey: TEST_KEY }, "together"],
    ["a secret without its key", { testSecret: WEBHOOK_SECRET }, "together"],
    ["a secret that is none", { testKey: TEST_KEY, testSecret: "secret" }, "begins with whsec_"],
  ])("are not taken with %s", async (_what, fields, says) => {
    const world = await open();
    const answer = await saveSettings(world, fields);
    expect(answer.status).toBe(422);
    const text = await answer.text();
    expect(text).toContain(says);
    for (const typed of Object.values(fields)) expect(text).not.toContain(`"${typed}"`);
    expect(await credentials(world)).toEqual([]);
    expect(configured(world)).toBe(0);
  });

  test("of order mode need the name of the payment method", async () => {
    const world = await open({ mode: "order" });
    const answer = await saveSettings(world, { gatewayName: " " });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("Give the name of the manual payment method");
    expect((await saveSettings(world, { gatewayName: GATEWAY, ...right })).headers.get("location")).toBe(
      "/shopify/settings?done=saved",
    );
    expect(configured(world)).toBe(0);
  });

  test("are kept when Shopify cannot be told, and the page says what to do", async () => {
    const world = await open();
    world.simulator.faults.add({ on: "paymentsAppConfigure", status: 503 });
    const answer = await saveSettings(world, right);
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("Save once more in a minute");
    expect(await credentials(world)).toHaveLength(1);
    expect((await saveSettings(world, {})).status).toBe(303);
    expect(world.shop.gateway.ready).toBe(true);
  });

  test("make the shop ready again when it installs the app anew", async () => {
    const world = await open();
    await saveSettings(world, right);
    world.shop.uninstall();
    await world.simulator.webhooks.settled();
    await world.app.work();
    await world.clock.advance(1_000);
    await world.shop.install();
    expect(world.shop.gateway.ready).toBe(true);
  });

  test("come in French and in English, with no script and in nobody's frame", async () => {
    const world = await open();
    const { cookies } = await world.shop.install();
    const page = async (lang: string) =>
      await fetch(`${world.url}/shopify/settings?lang=${lang}`, { headers: { Cookie: cookies } });
    expect(await (await page("fr")).text()).toContain("Réglages du paiement");
    const english = await page("en");
    const policy = english.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("script-src");
    expect(policy).toContain(`form-action 'self' ${new URL(world.shop.origin).origin}`);
    expect(english.headers.get("cache-control")).toBe("no-store");
    expect(await english.text()).toContain("Payment settings");
  });
});

describe("the settings are closed to", () => {
  test("whoever did not come from the shop's admin, or came two hours ago", async () => {
    const world = await open();
    const { cookies, text } = await world.shop.install();
    const get = async (cookie: string) =>
      (await fetch(`${world.url}/shopify/settings`, { headers: { Cookie: cookie } })).status;
    expect(await get("")).toBe(403);
    expect(await get("tillkit_shop=eHk.1.abc")).toBe(403);
    expect(await get(cookies)).toBe(200);
    await world.clock.advance(2 * 3_600_000);
    expect(await get(cookies)).toBe(403);
    const late = {
      method: "POST",
      headers: { Cookie: cookies },
      body: new URLSearchParams({ form: formTokenIn(text), ...right }),
    };
    expect((await fetch(`${world.url}/shopify/settings`, late)).status).toBe(403);
  });

  test("a form that another site sends in the owner's name", async () => {
    const world = await open();
    const { cookies } = await world.shop.install();
    for (const form of ["", "forged", "YWNtZQ.99999999999999.abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrs"]) {
      const body = new URLSearchParams({ form, do: "save", ...right });
      const answer = await fetch(`${world.url}/shopify/settings`, {
        method: "POST",
        headers: { Cookie: cookies },
        body,
      });
      expect(answer.status).toBe(403);
    }
    expect(await credentials(world)).toEqual([]);
  });

  test("the owner of another shop, whatever the form says", async () => {
    const world = await open();
    const other = world.simulator.openShop("other");
    const theirs = await other.install();
    const ours = await world.shop.install();
    const body = new URLSearchParams({ form: formTokenIn(ours.text), do: "save", ...right });
    const answer = await fetch(`${world.url}/shopify/settings`, {
      method: "POST",
      headers: { Cookie: theirs.cookies },
      body,
    });
    expect(answer.status).toBe(403);
    expect(await credentials(world)).toEqual([]);
  });

  test("the owner of a shop that took the app away", async () => {
    const world = await open();
    const { cookies } = await world.shop.install();
    world.shop.uninstall();
    await world.simulator.webhooks.settled();
    await world.app.work();
    expect((await fetch(`${world.url}/shopify/settings`, { headers: { Cookie: cookies } })).status).toBe(403);
  });
});

test("a version of the API that Shopify switched off is told to every owner", async () => {
  const world = await open();
  await saveSettings(world, right);
  const row = { version: "2026-07", supported: false };
  await world.ledger.records.put("", "shopify-versions", world.simulator.app.clientId, row, "new");
  expect((await world.shop.install()).text).toContain("2026-07");
});

test("a page that cannot be shown because the database is gone is told in the log", async () => {
  const world = await open();
  const { cookies } = await world.shop.install();
  Object.assign(world.ledger.records, { get: () => Promise.reject(new Error("the disk is full")) });
  const answer = await fetch(`${world.url}/shopify/settings`, { headers: { Cookie: cookies } });
  const sentence = "This request could not be answered because of a fault here: try again in a minute.\n";
  expect([answer.status, await answer.text()]).toEqual([500, sentence]);
  const told = world.lines.filter(({ message }) => message === "request.failed");
  expect(told).toMatchObject([{ level: "error", fields: { code: "unexpected" } }]);
});

test("a request that cannot be read is answered with nothing that shows where the program is installed", async () => {
  const world = await open();
  const tooLarge = { method: "POST", body: "x".repeat(3_000_000) };
  const packed = { method: "POST", body: "x", headers: { "Content-Encoding": "unheard-of" } };
  for (const [request, status] of [
    [tooLarge, 413],
    [packed, 415],
  ] as const) {
    const answer = await fetch(`${world.url}/shopify/webhooks`, request);
    const sentence = "This request was not understood: check the link, and that the request is whole.\n";
    expect([answer.status, await answer.text()]).toEqual([status, sentence]);
  }
});

test("what happened last is on the page, however much happened before", async () => {
  const world = await open();
  const adapter = await world.app.checkout.engine.store(world.shop.domain);
  for (let order = 1; order <= 600; order += 1) {
    await adapter.addNote?.(
      { storeId: world.shop.domain, orderId: `group ${String(order).padStart(3, "0")}` },
      "key",
      "an old note",
    );
  }
  await world.clock.advance(1_000);
  await adapter.addNote?.({ storeId: world.shop.domain, orderId: "group 999" }, "key", "the newest note");
  expect((await world.shop.install()).text).toContain("the newest note");
});
