import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Payment, systemClock } from "@tillkit/core";
import { sign } from "@tillkit/php-bridge";
import { describe, expect, it, onTestFinished } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import {
  type Fixture,
  invite,
  logIn,
  type Owner,
  openServer,
  post,
  request,
  stores,
  webhookUrls,
} from "./self-service-fixture.ts";

/** A shop whose answers arrive only after `meanwhile`. It chooses how long its own connection takes. */
async function slowShop({ fake }: Owner, meanwhile: () => Promise<unknown>): Promise<string> {
  const http = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const { method = "GET", headers } = incoming;
    const body = chunks.length === 0 ? null : Buffer.concat(chunks);
    const { host: _, connection: __, ...sent } = headers as Record<string, string>;
    const answer = await fetch(fake.url + incoming.url, { method, headers: sent, body });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (incoming.url?.endsWith("/pair")) await meanwhile();
    response.writeHead(answer.status, { "Content-Type": "application/json" }).end(bytes);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

const storeIdOf = (owner: Owner) => owner.link()?.storeId ?? "";

async function paidBy(fixture: Fixture, owner: Owner): Promise<Payment> {
  await owner.pay();
  const [payment] = (await fixture.ledger.listPayments({ storeId: storeIdOf(owner), limit: 1 })).rows;
  if (payment === undefined) throw new Error("No payment was started.");
  await fixture.sandbox.control.paySession(payment.session?.id ?? "", { method: "card", outcome: "completed" });
  await waitFor(async () => expect((await fixture.ledger.find({ id: payment.id }))?.state).toBe("recorded"));
  return payment;
}

describe("an operator's decision and a connection that is being made", () => {
  it("a shop that is suspended while it answers its own connection stays suspended", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    const operator = await logIn(fixture);
    let suspend = async () => "";
    const shop = await slowShop(owner, () => suspend());
    await owner.connect({ shop });
    suspend = () => operator(`/shops/${storeIdOf(owner)}/suspend`);
    await owner.connect({ shop });
    expect(await stores(fixture)).toMatchObject([{ state: "suspended" }]);
  });

  it("a shop that is removed while it answers its own connection stays removed, and its key is not stored again", async () => {
    const fixture = await openServer({ admission: "approval" });
    const owner = await fixture.openShop();
    const operator = await logIn(fixture);
    let remove = async () => "";
    const shop = await slowShop(owner, () => remove());
    await owner.connect({ shop });
    const storeId = storeIdOf(owner);
    await operator(`/shops/${storeId}/approve`);
    remove = () => operator(`/shops/${storeId}/remove`);
    await owner.connect({ shop });
    expect(await stores(fixture)).toMatchObject([{ state: "left" }]);
    expect(await fixture.ledger.credentials.find({ storeId })).toEqual([]);
    expect(await fixture.ledger.secrets.list({ kind: "woo-pairing", limit: 9 })).toEqual([]);
    expect(await webhookUrls(fixture)).toEqual([]);
  });

  it("an invitation of a shop that the operator removed does not bring the shop back", async () => {
    const fixture = await openServer({ admission: "invitation" });
    const owner = await fixture.openShop();
    const invitation = await invite(fixture);
    await owner.connect({ invitation });
    const operator = await logIn(fixture);
    await operator(`/shops/${storeIdOf(owner)}/remove`);
    expect((await owner.connect({ invitation })).status).toBe(422);
    expect(await stores(fixture)).toMatchObject([{ state: "left" }]);
  });
});

describe("connections at the same time", () => {
  it("of fifty shops that use one invitation at once, one is connected", async () => {
    const fixture = await openServer({ admission: "invitation" });
    const invitation = await invite(fixture);
    const owners = await Promise.all(Array.from({ length: 50 }, () => fixture.openShop()));
    const answers = await Promise.all(
      owners.map(async ({ fake }, number) => {
        const code = fake.startPairing(fixture.url);
        const form = { shop: fake.url, code, language: "en", apiKey: fixture.sandbox.keys.test.secret, invitation };
        const headers = { "X-Forwarded-For": `203.0.113.${number}` };
        const body = new URLSearchParams(form);
        const url = `${fixture.url}/bridge/v1/pair/confirm`;
        return await fetch(url, { method: "POST", body, headers, redirect: "manual" });
      }),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(49);
    expect(await stores(fixture)).toHaveLength(1);
  });

  it("the second of two connections of one address leaves no key and no webhook of a shop that does not exist", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    const first: Promise<Response>[] = [];
    // The owner pressed the button in two windows: the second connection runs while the shop answers the first.
    const shop = await slowShop(owner, async () => {
      if (first.length > 0) return;
      first.push(owner.connect({ shop }));
      await first[0];
    });
    const last = await owner.connect({ shop });
    expect([(await first[0])?.status, last.status].sort()).toEqual([303, 502]);
    const [store] = (await stores(fixture)) as readonly { storeId: string }[];
    const keys = await fixture.ledger.credentials.list();
    expect(keys.map(({ storeIds }) => storeIds)).toEqual([[store?.storeId]]);
    expect(await fixture.ledger.secrets.list({ kind: "woo-pairing", limit: 9 })).toHaveLength(1);
    expect(await webhookUrls(fixture)).toHaveLength(1);
  });
});

describe("an outsider who knows a part", () => {
  it("with the test key alone nobody takes over a shop that takes live payments", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    await owner.connect();
    await owner.connect({ apiKey: fixture.sandbox.keys.live.secret });
    const before = await stores(fixture);
    expect((await owner.connect({ store: "", proof: "" })).status).toBe(422);
    expect(await stores(fixture)).toEqual(before);
    const live = { store: "", proof: "", apiKey: fixture.sandbox.keys.live.secret };
    expect((await owner.connect(live)).status).toBe(303);
  });

  it("a link secret that the owner replaced is accepted for calls in progress, and by nobody a day later", async () => {
    let later = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + later };
    const fixture = await openServer({}, { clock });
    const owner = await fixture.openShop();
    await owner.connect();
    const stolen = owner.link()?.secret ?? "";
    await owner.connect();
    expect((await owner.call("health", {}, stolen)).status).toBe(200);
    later = 25 * 3_600_000;
    expect((await owner.call("health", {}, stolen)).body.code).toBe("tillkit_signature_invalid");
    // The call of the owner is read, and says that the clocks differ.
    expect((await owner.call("health", {})).body.code).toBe("tillkit_clock_differs");
  });

  it("the code and the proof of one shop connect nothing at the address of another", async () => {
    const fixture = await openServer();
    const [victim, thief] = [await fixture.openShop(), await fixture.openShop()];
    await victim.connect();
    await thief.connect();
    const before = await stores(fixture);
    const code = thief.fake.startPairing(fixture.url);
    const { storeId = "", secret = "" } = thief.link() ?? {};
    const proof = sign(["tillkit v1 pair", storeId, code], secret);
    const form = { shop: victim.fake.url, code, language: "en", apiKey: fixture.sandbox.keys.test.secret };
    for (const claim of [
      { store: storeId, proof },
      { store: storeIdOf(victim), proof },
      { store: storeId, proof, move: "moved" },
      { store: storeId, proof, move: "copy" },
    ])
      expect((await post(`${fixture.url}/bridge/v1/pair/confirm`, { ...form, ...claim })).status).not.toBe(303);
    expect(await stores(fixture)).toEqual(before);
  });

  it("the owner of one shop reads, decides and refunds nothing of another shop through the plugin", async () => {
    const fixture = await openServer();
    const [victim, thief] = [await fixture.openShop(), await fixture.openShop()];
    await victim.connect();
    await thief.connect();
    const { id, ref } = await paidBy(fixture, victim);
    const { key = "" } = victim.fake.shop.order(ref.orderId) ?? {};
    const site = thief.fake.url;
    const named = {
      site,
      order: ref.orderId,
      key,
      payment: id,
      amount: "50.00",
      currency: "XOF",
      refund_key: "a".repeat(32),
    };
    const decision = { ...named, seen: "0".repeat(32), by: "administrator #1", reason: "duplicate" };
    for (const [purpose, body] of [
      ["refund", named],
      ["decide", { ...decision, decision: "refund" }],
      ["decide", { ...decision, decision: "accept" }],
    ] as const) {
      const answer = await thief.call(purpose, body);
      expect(answer, purpose).toMatchObject({ status: 404, body: { code: "tillkit_order_not_known" } });
    }
    for (const purpose of ["status", "export", "erase"] as const)
      expect(JSON.stringify((await thief.call(purpose, named)).body), purpose).not.toContain(id);
    expect(await fixture.ledger.refunds(id)).toEqual([]);
    expect((await fixture.ledger.find({ id }))?.state).toBe("recorded");
  });

  it("no key, link secret, code or proof is in an answer, a page or the log", async () => {
    const lines: string[] = [];
    const keep = (message: string, fields?: object) => void lines.push(`${message} ${JSON.stringify(fields ?? {})}`);
    const fixture = await openServer({ admission: "invitation" }, { log: { info: keep, warn: keep, error: keep } });
    const owner = await fixture.openShop();
    const invitation = await invite(fixture);
    const pages: string[] = [];
    for (const fields of [
      { apiKey: "svc_sk_test_unknown" },
      { invitation },
      { invitation, shop: "https://user:pa55word@boutique.example" },
      { invitation, shop: "http://127.0.0.1:9" },
      { apiKey: `${fixture.sandbox.keys.test.secret}<` },
      {},
    ])
      pages.push(await (await owner.connect(fields)).text());
    const secrets = [fixture.sandbox.keys.test.secret, "svc_sk_test_unknown", owner.link()?.secret ?? "", "pa55word"];
    expect(lines.join()).toContain("connection_refused");
    for (const secret of secrets) expect([...lines, ...pages].join(), secret).not.toContain(secret);
  });
});

describe("what happened before a shop was suspended or left", () => {
  it("a payment that was started before the suspension is confirmed and can be refunded by the owner", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    await owner.connect();
    await owner.pay();
    const [payment] = (await fixture.ledger.listPayments({ storeId: storeIdOf(owner), limit: 1 })).rows;
    const operator = await logIn(fixture);
    await operator(`/shops/${storeIdOf(owner)}/suspend`);
    await waitFor(async () => expect((await owner.pay()).status).toBe(503));
    await fixture.sandbox.control.paySession(payment?.session?.id ?? "", { method: "card", outcome: "completed" });
    await waitFor(async () => expect((await fixture.ledger.find({ id: payment?.id ?? "" }))?.state).toBe("recorded"));
    const orderId = payment?.ref.orderId ?? "";
    const { key = "" } = owner.fake.shop.order(orderId) ?? {};
    const refund = { site: owner.fake.url, order: orderId, key, amount: "5000", currency: "XOF" };
    const answer = await owner.call("refund", { ...refund, refund_key: "b".repeat(32) });
    expect(answer.status).toBe(200);
    expect(await fixture.ledger.refunds(payment?.id ?? "")).toMatchObject([{ amount: { minor: 5_000 } }]);
  });

  it("a login link that the plugin got before its shop left opens no page", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    await owner.connect();
    const { body } = await owner.call("login", { user: "1", role: "owner", nonce: "0".repeat(32) });
    expect((await owner.call("disconnect", {})).body.state).toBe("left");
    const answer = await fetch(String(body.url), { redirect: "manual" });
    const cookie = (answer.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? "";
    const page = await fetch(`${fixture.url}/operators/test/payments`, { headers: { cookie }, redirect: "manual" });
    expect(page.headers.get("location")).toContain("/login");
  });
});

describe("an address that leads elsewhere", () => {
  it("no spelling of a private address is called, and no host is accepted that no DNS has", async () => {
    const outside = await openServer({ publicUrl: "https://pay.example" });
    const form = { code: "0".repeat(64), language: "en", apiKey: outside.sandbox.keys.test.secret };
    for (const shop of [
      "https://2130706433",
      "https://0x7f.1",
      "https://127.1",
      "https://0177.0.0.1",
      "https://127.0.0.1.",
      "https://localhost.",
      "https://shop.localhost",
      "https://[::1]",
      "https://[::ffff:7f00:1]",
      "https://[fd00::1]",
      "https://[64:ff9b::a00:1]",
      "https://owner@boutique.example",
      "https://boutique.example;script-src",
      "https://boutique.example,x",
      "https://boutique.example'x",
      "http://boutique.example",
      "ftp://boutique.example",
      "https://boutique.example/?x",
      "https://boutique.example/#x",
    ]) {
      const answer = await request(outside.server.listener, "/bridge/v1/pair", { ...form, shop });
      expect(answer.status, shop).toBe(400);
    }
  });

  it("a shop that redirects, never ends or answers with a page is not connected, and the owner reads why", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    for (const disturbance of ["redirect", "html", "forbidden", "hang-up", "drip"] as const) {
      owner.fake.faults.disturb(disturbance);
      const answer = await owner.connect();
      expect(answer.status, disturbance).toBe(422);
      expect(await answer.text(), disturbance).toContain("cannot reach the plugin");
    }
    expect(await stores(fixture)).toEqual([]);
    expect(await webhookUrls(fixture)).toEqual([]);
  });

  it("after connecting the browser goes to a page of the shop, whatever page the shop names", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    const answer = await owner.connect({ shop: await slowShop(owner, async () => {}) });
    const [{ address }] = (await stores(fixture)) as [{ address: string }];
    // The shop behind it names its settings at another address.
    expect(new URL(answer.headers.get("location") ?? "").origin).toBe(address);
  });
});
