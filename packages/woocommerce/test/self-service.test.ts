import { sign } from "@tillkit/php-bridge";
import { describe, expect, it } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { invite, logIn, openServer, post, request, stores, webhookUrls } from "./self-service-fixture.ts";

describe("a shop that connects itself", () => {
  it("a shop is connected with a key alone, takes a payment, and nothing was restarted", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    const page = await owner.connect({}, "/bridge/v1/pair");
    const text = await page.text();
    expect(text).toContain("mark orders paid, put them on hold, and add notes to them");
    expect(text).toContain("Begin with a test key.");
    expect(owner.link()).toBeNull();
    const answer = await owner.connect();
    expect(answer.headers.get("location")).toContain("tillkit_paired=yes");
    const storeId = owner.link()?.storeId ?? "";
    expect(await webhookUrls(fixture)).toEqual([`${fixture.url}/hooks/service/${storeId}-test`]);
    expect((await owner.pay()).status).toBe(303);
    const [payment] = (await fixture.ledger.listPayments({ storeId, limit: 9 })).rows;
    await fixture.sandbox.control.paySession(payment?.session?.id ?? "", { method: "card", outcome: "completed" });
    await waitFor(async () => expect((await fixture.ledger.find({ id: payment?.id ?? "" }))?.state).toBe("recorded"));
  });

  it("the page is in French for a shop in French, and a wrong key is corrected without beginning again", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    const refused = await owner.connect({ apiKey: "svc_sk_test_wrong", language: "fr" });
    expect(refused.status).toBe(422);
    const page = await refused.text();
    expect(page).toContain("refuse cette clé");
    expect(page).not.toContain("svc_sk_test_wrong");
    expect(owner.link()).toBeNull();
    const code = /name="code" value="(\w+)"/.exec(page)?.[1] ?? "";
    expect((await owner.connect({ code: code, language: "fr" })).status).toBe(502);
    expect((await owner.connect()).status).toBe(303);
  });

  it("the live key is added later on the same page, and the test payments keep their key", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    await owner.connect();
    const storeId = owner.link()?.storeId ?? "";
    expect((await owner.call("health", {})).body.environment).toBe("test");
    const operator = await logIn(fixture);
    expect(await operator("/shops/invite")).toContain("clé de test seulement");
    expect(await (await owner.connect({}, "/bridge/v1/pair")).text()).not.toContain("Begin with a test key.");
    expect((await owner.connect({ apiKey: fixture.sandbox.keys.live.secret })).status).toBe(303);
    expect(await operator("/shops/invite")).not.toContain("clé de test seulement");
    expect(owner.link()?.storeId).toBe(storeId);
    expect((await owner.call("health", {})).body.environment).toBe("live");
    const keys = await fixture.ledger.credentials.find({ storeId });
    expect(keys.map(({ environment }) => environment).sort()).toEqual(["live", "test"]);
  });

  it("a key of another account takes the place of the first one, and no webhook stays at the former account", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    await owner.connect();
    const { keys } = await fixture.sandbox.control.createOrganization("Chez Awa, new account");
    expect((await owner.connect({ apiKey: keys.test.secret })).status).toBe(303);
    expect(await webhookUrls(fixture)).toEqual([]);
    expect(await webhookUrls(fixture, keys.test.secret)).toHaveLength(1);
    const another = await fixture.sandbox.control.createOrganization("Chez Awa, third account");
    expect((await owner.connect({ apiKey: another.keys.test.secret })).status).toBe(303);
    expect(await webhookUrls(fixture, keys.test.secret)).toEqual([]);
  });

  it("connecting again without a key keeps key and webhook, and changes the link secret", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    await owner.connect();
    const before = owner.link();
    const keys = await fixture.ledger.credentials.find({ storeId: before?.storeId ?? "" });
    expect((await owner.connect({ apiKey: "" })).status).toBe(303);
    expect(owner.link()?.storeId).toBe(before?.storeId);
    expect(owner.link()?.secret).not.toBe(before?.secret);
    expect(await fixture.ledger.credentials.find({ storeId: before?.storeId ?? "" })).toEqual(keys);
  });
});

describe("who may connect", () => {
  it("without a valid invitation nobody connects, and a code that was used opens nothing for another shop", async () => {
    const fixture = await openServer({ admission: "invitation" });
    const [owner, other] = [await fixture.openShop(), await fixture.openShop()];
    for (const invitation of ["", "00000-00000-00000-00000-00000-00000"]) {
      const answer = await owner.connect({ invitation });
      expect(answer.status).toBe(422);
      expect(await answer.text()).toContain("This invitation code is not valid");
    }
    expect(owner.link()).toBeNull();
    const invited = await (await logIn(fixture))("/shops/invite");
    expect(invited).toContain(`adresse du serveur Tillkit ${fixture.url}`);
    expect(invited).toContain(`checkout server address ${fixture.url}`);
    const code = await invite(fixture);
    expect((await owner.connect({ invitation: code })).status).toBe(303);
    expect((await other.connect({ invitation: code })).status).toBe(422);
    // A shop that is connected needs no second code.
    expect((await owner.connect()).status).toBe(303);
  });

  it("a shop that waits for approval takes no payment before the operator approves it", async () => {
    const fixture = await openServer({ admission: "approval" });
    const owner = await fixture.openShop();
    expect((await owner.connect()).headers.get("location")).toContain("tillkit_paired=waiting");
    expect((await owner.pay()).status).toBe(503);
    expect((await owner.call("health", {})).body.shop).toMatchObject({ ok: false });
    expect(await (await owner.connect({}, "/bridge/v1/pair")).text()).toContain("has approved the shop");
    const operator = await logIn(fixture);
    await operator(`/shops/${owner.link()?.storeId}/approve`);
    await waitFor(async () => expect((await owner.pay()).status).toBe(303));
  });

  it("an address may try ten times in ten minutes", async () => {
    const fixture = await openServer({ admission: "invitation" });
    const owner = await fixture.openShop();
    for (let attempt = 0; attempt < 10; attempt += 1) await owner.connect({ invitation: `${attempt}` });
    const answer = await owner.connect({ invitation: await invite(fixture) });
    expect(answer.status).toBe(429);
    expect(answer.headers.get("retry-after")).toBe("600");
  });

  it("self-service without operators' pages is a mistake of the configuration", async () => {
    await expect(openServer({ operators: undefined })).rejects.toThrow("needs the operators' pages");
  });
});

describe("the take-over of a shop", () => {
  it("a connected address is not taken by another installation, whatever key it brings", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    await owner.connect();
    const before = await stores(fixture);
    const link = owner.link();
    for (const fields of [
      { store: "", proof: "" },
      { proof: `v1.${"0".repeat(64)}` },
      { store: "", proof: "", apiKey: fixture.sandbox.keys.live.secret },
      { store: "", proof: "", move: "moved", apiKey: fixture.sandbox.keys.live.secret },
    ]) {
      const answer = await owner.connect({ apiKey: "svc_sk_test_of_somebody_else", ...fields });
      expect(answer.status, JSON.stringify(fields)).toBe(422);
    }
    expect(await stores(fixture)).toEqual(before);
    expect(owner.link()).toEqual(link);
    expect((await owner.pay()).status).toBe(303);
  });

  it("an owner whose WordPress lost its secrets comes back with the key that the shop was connected with", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    await owner.connect();
    const storeId = owner.link()?.storeId;
    expect((await owner.connect({ store: "", proof: "" })).status).toBe(303);
    expect(owner.link()?.storeId).toBe(storeId);
    expect((await owner.pay()).status).toBe(303);
  });

  it("a shop at another address has moved or is a copy, as its owner says, and a move needs the key", async () => {
    const fixture = await openServer();
    const [owner, elsewhere] = [await fixture.openShop(), await fixture.openShop()];
    await owner.connect();
    const link = owner.link();
    const claim = () => {
      const code = elsewhere.fake.startPairing(fixture.url);
      const proof = sign(["tillkit v1 pair", link?.storeId ?? "", code], link?.secret ?? "");
      const apiKey = fixture.sandbox.keys.test.secret;
      return { shop: elsewhere.fake.url, code, language: "en", store: link?.storeId ?? "", proof, apiKey };
    };
    expect(await (await post(`${fixture.url}/bridge/v1/pair`, claim())).text()).toContain(
      "connected at another address",
    );
    const wrongKey = { ...claim(), move: "moved", apiKey: fixture.sandbox.keys.live.secret };
    expect((await post(`${fixture.url}/bridge/v1/pair/confirm`, wrongKey)).status).toBe(422);
    expect((await post(`${fixture.url}/bridge/v1/pair/confirm`, { ...claim(), move: "copy" })).status).toBe(303);
    expect(await stores(fixture)).toHaveLength(2);
    expect((await owner.pay()).status).toBe(303);
  });

  it("a code of the plugin works once, and a pairing that is replayed changes nothing", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    const code = owner.fake.startPairing(fixture.url);
    const form = { shop: owner.fake.url, code, language: "en", apiKey: fixture.sandbox.keys.test.secret };
    expect((await post(`${fixture.url}/bridge/v1/pair/confirm`, form)).status).toBe(303);
    const before = await stores(fixture);
    expect((await post(`${fixture.url}/bridge/v1/pair/confirm`, form)).status).toBe(502);
    expect(await stores(fixture)).toEqual(before);
  });
});

describe("an address that a stranger names", () => {
  it("a server on a public address calls no private address, and does not tell whether somebody answers there", async () => {
    const inside = await openServer();
    const shop = await inside.openShop();
    const outside = await openServer({ publicUrl: "https://pay.example" });
    const form = { code: "0".repeat(64), language: "en", apiKey: outside.sandbox.keys.test.secret };
    const hosts = [
      shop.fake.url,
      "https://10.0.0.1",
      "https://169.254.169.254",
      "https://[::ffff:127.0.0.1]",
      "https://localhost",
    ];
    for (const host of hosts) {
      const local = outside.server.listener;
      const answer = await request(local, "/bridge/v1/pair/confirm", { ...form, shop: host });
      expect(answer.status, host).toBe(400);
    }
    expect(shop.fake.requests).toEqual([]);
  });
});

describe("the end of a connection", () => {
  it("a shop that disconnects takes no payment, its keys and webhook are gone, and its payments stay", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    await owner.connect();
    const storeId = owner.link()?.storeId ?? "";
    await owner.pay();
    const [payment] = (await fixture.ledger.listPayments({ storeId, limit: 9 })).rows;
    expect((await owner.call("disconnect", {})).body.state).toBe("leaving");
    expect((await owner.pay()).status).toBe(503);
    expect(await fixture.ledger.credentials.find({ storeId })).toHaveLength(1);
    await fixture.sandbox.control.paySession(payment?.session?.id ?? "", { method: "card", outcome: "completed" });
    await waitFor(async () => expect((await fixture.ledger.find({ id: payment?.id ?? "" }))?.state).toBe("recorded"));
    await logIn(fixture);
    expect((await owner.call("disconnect", {})).body.state).toBe("left");
    expect(await fixture.ledger.credentials.find({ storeId })).toEqual([]);
    expect(await webhookUrls(fixture)).toEqual([]);
    const refused = await owner.call("health", { language: "fr" });
    expect(refused.status).toBe(401);
    expect(refused.body.message).toContain("n’est pas connectée à ce serveur Tillkit, ou ne l’est plus");
    expect((await fixture.ledger.listPayments({ storeId, limit: 9 })).rows).toHaveLength(1);
    expect((await owner.connect()).status).toBe(303);
    expect(owner.link()?.storeId).not.toBe(storeId);
  });

  it("a suspended shop finishes its payments, takes no new one, and cannot leave and come back", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    await owner.connect();
    const storeId = owner.link()?.storeId ?? "";
    const operator = await logIn(fixture);
    await operator(`/shops/${storeId}/suspend`);
    await waitFor(async () => expect((await owner.pay()).status).toBe(503));
    expect((await owner.call("disconnect", {})).body.code).toBe("tillkit_suspended");
    expect(await (await owner.connect({}, "/bridge/v1/pair")).text()).toContain("has suspended the shop");
    expect((await owner.connect()).headers.get("location")).toContain("tillkit_paired=waiting");
    expect((await owner.pay()).status).toBe(503);
    const { body } = await owner.call("health", { language: "fr" });
    expect(body).toMatchObject({ takes_payments: false, shop: { ok: false } });
    expect((body.shop as { message: string }).message).toContain("Vos clients ne peuvent pas payer");
  });
});

describe("the pages of an owner", () => {
  it("the plugin gets a link that opens the pages with this shop only", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    await owner.connect();
    const person = { user: "1", role: "owner", nonce: "0".repeat(32) };
    const { body } = await owner.call("login", person);
    const answer = await fetch(String(body.url), { redirect: "manual" });
    const cookie = (answer.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? "";
    const page = await fetch(`${fixture.url}/operators/payments`, { headers: { cookie } });
    expect(page.status).toBe(200);
    expect((await fetch(`${fixture.url}/operators/test/shops`, { headers: { cookie } })).status).toBe(404);
    expect((await owner.call("login", person)).status).toBe(409);
    expect((await owner.call("login", { ...person, nonce: "1".repeat(32), role: "operator" })).status).toBe(400);
  });

  it("an owner who is not logged in reads where the pages open without a token, and the health panel leads nobody to that form", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    await owner.connect();
    const login = await fetch(`${fixture.url}/operators/payments`, { headers: { "Accept-Language": "fr" } });
    expect(await login.text()).toMatch(/Appuyez sur «\s?Voir mes paiements\s?»/);
    expect((await owner.call("health", {})).body.operators_url).toBeNull();
  });
});
