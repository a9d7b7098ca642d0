import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signWebhook } from "@tillkit/client/webhooks";
import { listedStores, payLinkUrl } from "@tillkit/php-bridge";
import { recoverWooCommerce } from "@tillkit/woocommerce";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { LINK_SECRET, openServerFixture, type ServerFixture, STORE_ID } from "./server-fixture.ts";

describe("concurrent and invalid signals", () => {
  it("twenty concurrent returns and checks mark the order paid once", async () => {
    const fixture = await openServerFixture();
    const { order, payment } = await fixture.openOrder();
    const { success_url: returnUrl } = JSON.parse(payment.request) as { success_url: string };
    fixture.fake.faults.setLatency(20);
    await fixture.pay(payment);
    const input = { order: String(order.id), key: order.key };
    const signals = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? fetch(returnUrl, { redirect: "manual" }) : fixture.call("check", input),
    );
    await Promise.all(signals);
    await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
    expect(fixture.fake.shop.effects).toHaveLength(1);
    expect(fixture.fake.shop.stockTaken(order.id)).toBe(1);
  });

  it("the old and the new order of a changed cart are each paid by their own payment", async () => {
    const fixture = await openServerFixture();
    const old = await fixture.openOrder();
    const changed = await fixture.openOrder({ total: "6000" });
    await fixture.pay(changed.payment);
    await fixture.pay(old.payment);
    for (const { order, payment } of [old, changed]) {
      await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
      expect(fixture.fake.shop.order(order.id)?.meta._tillkit_payment_id).toBe(payment.id);
      expect(fixture.fake.shop.stockTaken(order.id)).toBe(1);
    }
  });

  it("an unsigned or wrongly signed webhook changes nothing", async () => {
    const fixture = await openServerFixture();
    const { order, payment } = await fixture.openOrder();
    const body = JSON.stringify({ event: "PAYMENT_SUCCEEDED", data: { checkout_session_id: payment.session?.id } });
    const url = `${fixture.url}/hooks/service/${STORE_ID}`;
    const wrong = signWebhook(Buffer.from(body), "whsec_wrong");
    for (const headers of [{}, { "X-Service-Signature": wrong }]) {
      expect((await fetch(url, { method: "POST", body, headers })).status).toBe(401);
    }
    expect(fixture.fake.shop.order(order.id)?.status).toBe("pending");
  });
});

describe("unreadable requests", () => {
  it.each([
    ["a shop webhook that is too large", "/hooks/woo/boutique", { body: "x".repeat(1_100_000) }, 413],
    [
      "a shop webhook with broken compression",
      "/hooks/woo/boutique",
      { body: "x", headers: { "Content-Encoding": "gzip" } },
      415,
    ],
    ["a broken address", "/hooks/woo/%E0%A4%A", { body: "x" }, 400],
  ])("%s is refused without revealing where the checkout server is installed", async (_, path, init, status) => {
    const consoleError = vi.spyOn(console, "error").mockImplementation(() => undefined);
    onTestFinished(() => consoleError.mockRestore());
    const fixture = await openServerFixture({ timer: false });
    const answer = await fetch(fixture.url + path, { method: "POST", ...init });
    const text = "This request cannot be read: check the link, and that the request is complete.\n";
    expect({ status: answer.status, text: await answer.text() }).toEqual({ status, text });
    expect(consoleError).not.toHaveBeenCalled();
  });
});

it("guessing the operators' token behind a proxy locks out only the address of the guesser", async () => {
  const token = "an operators' token of the tests, not a real one";
  const fixture = await openServerFixture({ timer: false, config: { operators: { tokens: [token] } } });
  const page = await fetch(`${fixture.url}/operators/login`);
  const cookie = String(page.headers.get("set-cookie")).split(";")[0] ?? "";
  const form = /name="form" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  const logIn = async (visitorAddress: string, enteredToken: string) => {
    const headers = { Cookie: cookie, "X-Forwarded-For": visitorAddress };
    const body = new URLSearchParams({ form, token: enteredToken });
    return (await fetch(`${fixture.url}/operators/login`, { method: "POST", redirect: "manual", headers, body }))
      .status;
  };
  for (let guess = 1; guess <= 12; guess += 1) await logIn("203.0.113.1", `guess ${guess}`);
  expect(await logIn("203.0.113.1", token)).toBe(429);
  expect(await logIn("203.0.113.2", token)).toBe(303);
});

describe("lost signals", () => {
  it("the daily reconciliation finds a payment whose webhook was not processed before the checkout server stopped", async () => {
    const fixture = await openServerFixture({ timer: false });
    const { order, payment } = await fixture.openOrder();
    await fixture.pay(payment);
    await fixture.restart();
    expect(await fixture.server().sweep(STORE_ID)).toMatchObject({ orders: 1, read: 1, paid: 1 });
    expect(fixture.fake.shop.order(order.id)?.status).toBe("processing");
  });

  it("an order is marked paid in a shop that cannot send requests", async () => {
    const fixture = await openServerFixture();
    const { order, payment } = await fixture.openOrder();
    // Neither the plugin nor WooCommerce calls the checkout server.
    await fixture.pay(payment);
    await waitFor(() => expect(fixture.fake.shop.order(order.id)?.status).toBe("processing"));
  });
});

describe("recovery", () => {
  it("the recover command restores, without new webhooks, the payments that a restored database lacks", async () => {
    const fixture = await openServerFixture({ timer: false });
    const since = Date.now() - 60_000;
    const { order, payment } = await fixture.openOrder();
    await fixture.openOrder();
    await fixture.pay(payment);
    const folder = await mkdtemp(join(tmpdir(), "tillkit-restored-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const configFile = join(folder, "woocommerce.json");
    await writeFile(
      configFile,
      JSON.stringify({ ...fixture.config, database: `sqlite:${join(folder, "restored.db")}` }),
    );
    const printed: string[] = [];
    const recover = () => recoverWooCommerce({ configFile, since, print: (text) => printed.push(text) });
    await recover();
    await recover();
    expect(printed).toEqual([
      expect.stringMatching(
        /^boutique \(test\): transactions checked 1, payments recovered 1, payments with a recovered refund 0, dispute events found 0; disputes before \S+ are not known\.$/,
      ),
      expect.stringMatching(
        /^boutique \(test\): transactions checked 1, payments recovered 0, payments with a recovered refund 0, dispute events found 0; disputes before \S+ are not known\.$/,
      ),
    ]);
    expect(fixture.fake.shop.order(order.id)).toMatchObject({
      status: "processing",
      meta: { _tillkit_payment_id: payment.id },
    });
    expect(fixture.fake.shop.stockTaken(order.id)).toBe(1);
  });
});

describe("link secret rotation", () => {
  it("links and calls work during a rotation of the link secret in the checkout server and the plugin", async () => {
    const next = "the next link secret of the tests, never of a real shop";
    const store = { linkSecret: next, previousLinkSecret: LINK_SECRET };
    const fixture = await openServerFixture({ store });
    const { order } = await fixture.openOrder();
    const input = { order: String(order.id), key: order.key };
    for (const secret of [next, LINK_SECRET])
      expect((await fixture.call("status", input, { secret })).status).toBe(200);
    fixture.fake.setPlugin({ checkoutServerUrl: fixture.url, storeId: STORE_ID, linkSecret: next });
    const { payment } = await fixture.openOrder();
    await fixture.pay(payment);
    await waitFor(async () => expect((await fixture.payment(Number(payment.ref.orderId))).state).toBe("recorded"));
  });
});

describe("link secret rotation that begins in the checkout server", () => {
  it.each(["plugin", "auto"] as const)(
    "a plugin with the previous link secret still marks orders paid with writeOrdersBy %s",
    async (writeOrdersBy) => {
      const next = "the next link secret of the tests, never of a real shop";
      const fixture = await openServerFixture({
        store: { linkSecret: next, previousLinkSecret: LINK_SECRET, writeOrdersBy },
      });
      const { order, payment } = await fixture.openOrder();
      await fixture.pay(payment);
      await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
      expect(fixture.fake.requests.filter((request) => request.startsWith("PUT"))).toEqual([]);
    },
  );
});

describe("WooCommerce's own webhooks", () => {
  const SECRET = "a shop webhook secret of the tests";

  it("an authentic WooCommerce webhook about an order verifies its payments; forged ones and pings do not", async () => {
    const fixture = await openServerFixture({ timer: false, store: { shopWebhookSecret: SECRET } });
    const { webhooks, shop } = fixture.fake;
    const url = `${fixture.url}/hooks/woo/${STORE_ID}`;
    const { order, payment } = await fixture.openOrder();
    await fixture.pay(payment);
    expect(await webhooks.add({ url, secret: "a secret that nobody agreed upon" })).toBe(200);
    expect(await webhooks.runCron()).toEqual([401]);
    expect((await fixture.payment(order.id)).state).toBe("open");
    shop.edit(order.id, { status: "failed" });
    await webhooks.add({ url, secret: SECRET });
    expect(await webhooks.runCron()).toEqual([200]);
    await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
    expect(webhooks.isDisabled()).toBe(false);
  });

  it("a WooCommerce webhook is answered 404 without a configured secret", async () => {
    const fixture = await openServerFixture({ timer: false });
    expect(await fixture.fake.webhooks.add({ url: `${fixture.url}/hooks/woo/${STORE_ID}`, secret: SECRET })).toBe(404);
  });
});

describe("secrets and personal data", () => {
  it("no page, response, log or note contains a secret or a personal name", async () => {
    const fixture = await openServerFixture({
      config: { logLevel: "info" },
      store: { shopWebhookSecret: "a shop webhook secret of the tests" },
    });
    const outputs: string[] = [];
    const { order, payment } = await fixture.openOrder();
    const input = { order: String(order.id), key: order.key };
    for (const disturbance of ["html", "error", "hang-up", "forbidden"] as const) {
      fixture.fake.faults.disturb(disturbance);
      outputs.push(await pageOf(fixture, order.id));
      outputs.push(JSON.stringify(await fixture.call("check", input)));
      outputs.push(JSON.stringify(await fixture.call("health", { webhook: true })));
    }
    fixture.fake.faults.disturb(null);
    fixture.fake.setRights("read-only");
    await fixture.pay(payment);
    outputs.push(JSON.stringify(await fixture.call("check", input)));
    fixture.fake.setRights("orders");
    fixture.fake.shop.edit(order.id, { total: "6000" });
    outputs.push(await pageOf(fixture, order.id));
    outputs.push(
      JSON.stringify(
        await fixture.call("refund", { ...input, refund_key: "refund-key", amount: "1", currency: "XOF" }),
      ),
    );
    outputs.push(
      JSON.stringify(await fixture.call("status", input)),
      JSON.stringify(fixture.log),
      ...fixture.fake.shop.notes(order.id),
    );
    for (const path of ["/healthz", "/readyz", "/metrics", "/bridge/v1/pay"])
      outputs.push(await (await fetch(fixture.url + path)).text());
    const everything = outputs.join("\n");
    expect(everything.length).toBeGreaterThan(5_000);
    for (const secret of secretsOf(fixture)) expect(everything).not.toContain(secret);
    expect(everything).not.toMatch(/awa\.diop|221771234567|Basic [A-Za-z0-9]|oauth_signature/);
  });
});

async function pageOf(fixture: ServerFixture, orderId: number): Promise<string> {
  const order = fixture.fake.shop.order(orderId);
  const exp = String(Math.floor(Date.now() / 1_000) + 60);
  const link = {
    store: STORE_ID,
    order: String(orderId),
    key: order?.key ?? "",
    amount: "5000.00",
    currency: "XOF",
    exp,
  };
  const answer = await fetch(payLinkUrl(fixture.url, link, LINK_SECRET), { redirect: "manual" });
  return `${[...answer.headers].join()} ${await answer.text()}`;
}

function secretsOf(fixture: ServerFixture): readonly string[] {
  const { config } = fixture.server();
  const { keys } = config;
  const [store] = listedStores(config);
  if (!store) throw new Error("There is no shop.");
  const {
    consumerKey = "",
    consumerSecret = "",
    linkSecret = "",
    apiKey,
    webhookSecrets = [],
    shopWebhookSecret = "",
  } = store;
  return [consumerKey, consumerSecret, linkSecret, apiKey, ...webhookSecrets, shopWebhookSecret, ...keys];
}
