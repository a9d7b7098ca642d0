import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signWebhook } from "@tillkit/client/webhooks";
import { recoverWooCommerce } from "@tillkit/woocommerce";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { payLinkUrl } from "../src/protocol/pay-link.ts";
import { LINK_SECRET, openWorld, STORE_ID, type World } from "./world.ts";

const PATIENCE = { timeout: 15_000, interval: 20 };

describe("whatever comes in", () => {
  it("twenty signals of every kind at once pay the order once", async () => {
    const world = await openWorld();
    const { order, payment } = await world.openOrder();
    const { success_url: back } = JSON.parse(payment.request) as { success_url: string };
    world.fake.faults.setLatency(20);
    await world.pay(payment);
    const wish = { order: String(order.id), key: order.key };
    const signals = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? fetch(back, { redirect: "manual" }) : world.call("check", wish),
    );
    await Promise.all(signals);
    await vi.waitFor(async () => expect((await world.payment(order.id)).state).toBe("recorded"), PATIENCE);
    expect(world.fake.shop.effects).toHaveLength(1);
    expect(world.fake.shop.stockTaken(order.id)).toBe(1);
  });

  it("a changed cart is another order: both stay payable, and each is paid by its own payment", async () => {
    const world = await openWorld();
    const [old, changed] = [await world.openOrder(), await world.openOrder({ total: "6000" })];
    await world.pay(changed.payment);
    await world.pay(old.payment);
    for (const { order, payment } of [old, changed]) {
      await vi.waitFor(async () => expect((await world.payment(order.id)).state).toBe("recorded"), PATIENCE);
      expect(world.fake.shop.order(order.id)?.meta._tillkit_payment_id).toBe(payment.id);
      expect(world.fake.shop.stockTaken(order.id)).toBe(1);
    }
  });

  it("an unsigned or wrongly signed webhook changes nothing", async () => {
    const world = await openWorld();
    const { order, payment } = await world.openOrder();
    const body = JSON.stringify({ event: "PAYMENT_SUCCEEDED", data: { checkout_session_id: payment.session?.id } });
    const url = `${world.url}/hooks/service/${STORE_ID}`;
    const wrong = signWebhook(Buffer.from(body), "whsec_wrong");
    for (const headers of [{}, { "X-Service-Signature": wrong }]) {
      expect((await fetch(url, { method: "POST", body, headers })).status).toBe(401);
    }
    expect(world.fake.shop.order(order.id)?.status).toBe("pending");
  });
});

describe("a request that cannot be read", () => {
  it.each([
    ["a hint that is too large", "/hooks/woo/boutique", { body: "x".repeat(1_100_000) }, 413],
    ["a hint that is packed badly", "/hooks/woo/boutique", { body: "x", headers: { "Content-Encoding": "gzip" } }, 400],
    ["a broken address", "/hooks/woo/%E0%A4%A", { body: "x" }, 400],
  ])("%s is refused, and shows nothing of where the companion is installed", async (_, path, what, status) => {
    const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
    onTestFinished(() => said.mockRestore());
    const world = await openWorld({ timer: false });
    const answer = await fetch(world.url + path, { method: "POST", ...what });
    const text = "This request was not understood: check the link, and that the request is whole.\n";
    expect({ status: answer.status, text: await answer.text() }).toEqual({ status, text });
    expect(said).not.toHaveBeenCalled();
  });
});

it("who guesses the operators' token behind the proxy shuts the door for himself, and for nobody else", async () => {
  const token = "an operators' token of the tests, of nobody else";
  const world = await openWorld({ timer: false, config: { operators: { tokens: [token] } } });
  const page = await fetch(`${world.url}/operators/login`);
  const cookie = String(page.headers.get("set-cookie")).split(";")[0] ?? "";
  const form = /name="form" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  const enter = async (from: string, guess: string) => {
    const headers = { Cookie: cookie, "X-Forwarded-For": from };
    const body = new URLSearchParams({ form, token: guess });
    return (await fetch(`${world.url}/operators/login`, { method: "POST", redirect: "manual", headers, body })).status;
  };
  for (let guess = 1; guess <= 12; guess += 1) await enter("203.0.113.1", `guess ${guess}`);
  expect(await enter("203.0.113.1", token)).toBe(429);
  expect(await enter("203.0.113.2", token)).toBe(303);
});

describe("whatever is lost", () => {
  it("the daily sweep finds a payment that nobody told us of, and the companion that received it died", async () => {
    const world = await openWorld({ timer: false });
    const { order, payment } = await world.openOrder();
    await world.pay(payment);
    await world.restart();
    expect(await world.companion().sweep(STORE_ID)).toMatchObject({ orders: 1, read: 1, paid: 1 });
    expect(world.fake.shop.order(order.id)?.status).toBe("processing");
  });

  it("a shop that can call nobody is paid all the same: everything goes out from us", async () => {
    const world = await openWorld();
    const { order, payment } = await world.openOrder();
    // Neither the plugin nor WooCommerce ever reach us: there is nothing they have to say.
    await world.pay(payment);
    await vi.waitFor(() => expect(world.fake.shop.order(order.id)?.status).toBe("processing"), PATIENCE);
  });
});

describe("a database that was restored from an older backup", () => {
  it("learns by one command what was paid meanwhile, also when no webhook comes again", async () => {
    const world = await openWorld({ timer: false });
    const began = Date.now() - 60_000;
    const { order, payment } = await world.openOrder();
    await world.openOrder();
    await world.pay(payment);
    const folder = await mkdtemp(join(tmpdir(), "tillkit-restored-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const configFile = join(folder, "woocommerce.json");
    await writeFile(configFile, JSON.stringify({ ...world.config, database: `sqlite:${join(folder, "restored.db")}` }));
    const said: string[] = [];
    const recover = () => recoverWooCommerce({ configFile, from: began, print: (text) => said.push(text) });
    await recover();
    await recover();
    expect(said).toEqual([
      "boutique (test): transactions looked at 1, payments taken back 1, payments with a forgotten refund 0.",
      "boutique (test): transactions looked at 1, payments taken back 0, payments with a forgotten refund 0.",
    ]);
    expect(world.fake.shop.order(order.id)).toMatchObject({
      status: "processing",
      meta: { _tillkit_payment_id: payment.id },
    });
    expect(world.fake.shop.stockTaken(order.id)).toBe(1);
  });
});

describe("a change of the link secret", () => {
  it("loses no link and no call, while companion and plugin change one after the other", async () => {
    const next = "the next link secret of the tests, never of a real shop";
    const store = { linkSecret: next, previousLinkSecret: LINK_SECRET };
    const world = await openWorld({ store });
    const { order } = await world.openOrder();
    const wish = { order: String(order.id), key: order.key };
    for (const secret of [next, LINK_SECRET]) expect((await world.call("status", wish, { secret })).status).toBe(200);
    world.fake.setPlugin({ companionUrl: world.url, storeId: STORE_ID, linkSecret: next });
    const { payment } = await world.openOrder();
    await world.pay(payment);
    await vi.waitFor(
      async () => expect((await world.payment(Number(payment.ref.orderId))).state).toBe("recorded"),
      PATIENCE,
    );
  });
});

describe("the first half of a change of the link secret", () => {
  it.each(["plugin", "auto"] as const)(
    "a plugin that has not heard of it still marks orders paid, by %s",
    async (settleBy) => {
      const next = "the next link secret of the tests, never of a real shop";
      const world = await openWorld({ store: { linkSecret: next, previousLinkSecret: LINK_SECRET, settleBy } });
      const { order, payment } = await world.openOrder();
      await world.pay(payment);
      await vi.waitFor(async () => expect((await world.payment(order.id)).state).toBe("recorded"), PATIENCE);
      expect(world.fake.requests.filter((request) => request.startsWith("PUT"))).toEqual([]);
    },
  );
});

describe("WooCommerce's own webhooks", () => {
  const SECRET = "a hint secret of the tests";

  it("are hints: one about an order makes us look, forged ones and pings do not", async () => {
    const world = await openWorld({ timer: false, store: { hintSecret: SECRET } });
    const { webhooks, shop } = world.fake;
    const url = `${world.url}/hooks/woo/${STORE_ID}`;
    const { order, payment } = await world.openOrder();
    await world.pay(payment);
    expect(await webhooks.add({ url, secret: "a secret that nobody agreed upon" })).toBe(200);
    expect(await webhooks.runCron()).toEqual([401]);
    expect((await world.payment(order.id)).state).toBe("open");
    shop.edit(order.id, { status: "failed" });
    await webhooks.add({ url, secret: SECRET });
    expect(await webhooks.runCron()).toEqual([200]);
    await vi.waitFor(async () => expect((await world.payment(order.id)).state).toBe("recorded"), PATIENCE);
    expect(webhooks.isDisabled()).toBe(false);
  });

  it("find nobody where no secret was agreed upon", async () => {
    const world = await openWorld({ timer: false });
    expect(await world.fake.webhooks.add({ url: `${world.url}/hooks/woo/${STORE_ID}`, secret: SECRET })).toBe(404);
  });
});

describe("what is said anywhere", () => {
  it("holds no secret and nobody's name, in the best of times and in the worst", async () => {
    const world = await openWorld({
      config: { logLevel: "info" },
      store: { hintSecret: "a hint secret of the tests" },
    });
    const said: string[] = [];
    const { order, payment } = await world.openOrder();
    const wish = { order: String(order.id), key: order.key };
    for (const how of ["html", "error", "hang-up", "forbidden"] as const) {
      world.fake.faults.disturb(how);
      said.push(await pageOf(world, order.id));
      said.push(JSON.stringify(await world.call("check", wish)));
      said.push(JSON.stringify(await world.call("health", { webhook: true })));
    }
    world.fake.faults.disturb(null);
    world.fake.setRights("read-only");
    await world.pay(payment);
    said.push(JSON.stringify(await world.call("check", wish)));
    world.fake.setRights("orders");
    world.fake.shop.edit(order.id, { total: "6000" });
    said.push(await pageOf(world, order.id));
    said.push(
      JSON.stringify(await world.call("refund", { ...wish, refund_key: "refund-key", amount: "1", currency: "XOF" })),
    );
    said.push(
      JSON.stringify(await world.call("status", wish)),
      JSON.stringify(world.log),
      ...world.fake.shop.notes(order.id),
    );
    for (const path of ["/healthz", "/readyz", "/metrics", "/woo/pay"])
      said.push(await (await fetch(world.url + path)).text());
    const everything = said.join("\n");
    expect(everything.length).toBeGreaterThan(5_000);
    for (const secret of secretsOf(world)) expect(everything).not.toContain(secret);
    expect(everything).not.toMatch(/awa\.diop|221771234567|Basic [A-Za-z0-9]|oauth_signature/);
  });
});

async function pageOf(world: World, orderId: number): Promise<string> {
  const order = world.fake.shop.order(orderId);
  const exp = String(Math.floor(Date.now() / 1_000) + 60);
  const link = {
    store: STORE_ID,
    order: String(orderId),
    key: order?.key ?? "",
    amount: "5000.00",
    currency: "XOF",
    exp,
  };
  const answer = await fetch(payLinkUrl(world.url, link, LINK_SECRET), { redirect: "manual" });
  return `${[...answer.headers].join()} ${await answer.text()}`;
}

function secretsOf(world: World): readonly string[] {
  const { stores, keys } = world.companion().config;
  const [store] = stores;
  if (!store) throw new Error("There is no shop.");
  const { consumerKey, consumerSecret, linkSecret, apiKey, webhookSecrets, hintSecret = "" } = store;
  return [consumerKey, consumerSecret, linkSecret, apiKey, ...webhookSecrets, hintSecret, ...keys];
}
