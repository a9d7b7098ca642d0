import { systemClock } from "@tillkit/core";
import { sign } from "@tillkit/php-bridge";
import { describe, expect, it } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { mortalLedger } from "./mortal-ledger.ts";
import { type Fixture, invite, type Owner, openServer, post, stores, webhookUrls } from "./self-service-fixture.ts";

const MINUTE = 60_000;

const storeIdOf = (owner: Owner) => owner.link()?.storeId ?? "";
const kept = async ({ ledger }: Fixture) => ({
  links: (await ledger.secrets.list({ kind: "woo-pairing", limit: 9 })).length,
  keys: (await ledger.credentials.list()).length,
  attempts: (await ledger.records.list({ kind: "store-attempt", limit: 9 })).length,
});

/** Pays an order and waits until the service has delivered all of its events. */
async function expectDelivered(fixture: Fixture, owner: Owner): Promise<void> {
  await owner.pay();
  const { control } = fixture.sandbox;
  const [payment] = (await fixture.ledger.listPayments({ storeId: storeIdOf(owner), limit: 1 })).rows;
  await control.paySession(payment?.session?.id ?? "", { method: "card", outcome: "completed" });
  await waitFor(async () => {
    const states = (await control.listDeliveries({ page: { limit: 9, offset: 0 } })).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(["delivered"]));
  });
}

describe("a process that dies while a shop connects", () => {
  it("a connection that ended after any of its writes is made again, and leaves one link, one key and one webhook", async () => {
    for (let writes = 0; writes < 11; writes += 1) {
      const { ledger, killAfter, revive } = mortalLedger();
      const fixture = await openServer({}, { ledger });
      const owner = await fixture.openShop();
      killAfter(writes);
      await owner.connect();
      revive();
      expect((await owner.connect()).status, `${writes} writes`).toBe(303);
      const storeId = storeIdOf(owner);
      expect(await stores(fixture), `${writes} writes`).toMatchObject([{ storeId, state: "connected" }]);
      expect((await ledger.credentials.list()).map(({ storeIds }) => storeIds)).toEqual([[storeId]]);
      expect(await kept(fixture), `${writes} writes`).toEqual({ links: 1, keys: 1, attempts: 0 });
      const hook = `${fixture.url}/hooks/service/${storeId}-test`;
      expect(await webhookUrls(fixture), `${writes} writes`).toEqual([hook]);
      expect((await owner.pay()).status, `${writes} writes`).toBe(303);
    }
  });

  it("connections that ended half-way one after the other leave nothing of the earlier ones", async () => {
    const { ledger, killBefore, revive } = mortalLedger();
    const fixture = await openServer({}, { ledger });
    const owner = await fixture.openShop();
    for (let time = 0; time < 3; time += 1) {
      killBefore("records.put registered-store");
      await owner.connect();
      revive();
    }
    expect(await kept(fixture)).toEqual({ links: 3, keys: 3, attempts: 3 });
    expect((await owner.connect()).status).toBe(303);
    expect(await kept(fixture)).toEqual({ links: 1, keys: 1, attempts: 0 });
    expect(await webhookUrls(fixture)).toHaveLength(1);
  });

  it("what a half-made connection stored is wiped when its owner does not come back for hours", async () => {
    let later = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + later };
    const { ledger, killBefore, revive } = mortalLedger();
    const fixture = await openServer({}, { ledger, clock });
    const owner = await fixture.openShop();
    killBefore("records.put registered-store");
    await owner.connect();
    revive();
    expect(await kept(fixture)).toEqual({ links: 1, keys: 1, attempts: 1 });
    expect(await webhookUrls(fixture)).toHaveLength(1);
    await waitFor(async () => {
      later += 5 * MINUTE;
      expect(await kept(fixture)).toEqual({ links: 0, keys: 0, attempts: 0 });
    });
    expect(await webhookUrls(fixture)).toEqual([]);
  });

  it("the log names a connection although the process died right after it", async () => {
    const { ledger, killBefore, revive } = mortalLedger();
    const fixture = await openServer({}, { ledger });
    const owner = await fixture.openShop();
    killBefore("records.remove store-attempt");
    await owner.connect();
    revive();
    const { rows } = await ledger.listActs({ limit: 9 });
    expect(rows).toMatchObject([{ act: "shop_connect", by: storeIdOf(owner) }]);
  });

  it("an invitation does not bring back a shop whose process died right after it was connected", async () => {
    const { ledger, killBefore, revive } = mortalLedger();
    const fixture = await openServer({ admission: "invitation" }, { ledger });
    const owner = await fixture.openShop();
    const invitation = await invite(fixture);
    killBefore("records.put store-invitation", 2);
    await owner.connect({ invitation });
    revive();
    expect(await stores(fixture)).toMatchObject([{ state: "connected" }]);
    expect((await owner.call("disconnect", {})).body.state).toBe("left");
    expect((await owner.connect({ invitation })).status).toBe(422);
  });
});

describe("a process that dies while a shop changes or leaves", () => {
  it("a move that ended before the new link secret was stored is made again with the key, and needs no invitation", async () => {
    const { ledger, killBefore, revive } = mortalLedger();
    const fixture = await openServer({ admission: "invitation" }, { ledger });
    const [owner, elsewhere] = [await fixture.openShop(), await fixture.openShop()];
    await owner.connect({ invitation: await invite(fixture) });
    const { storeId = "", secret = "" } = owner.link() ?? {};
    const move = (linkSecret: string) => {
      const code = elsewhere.fake.startPairing(fixture.url);
      const proof = sign(["tillkit v1 pair", storeId, code], linkSecret);
      const form = { shop: elsewhere.fake.url, code, language: "en", apiKey: fixture.sandbox.keys.test.secret };
      return post(`${fixture.url}/bridge/v1/pair/confirm`, { ...form, store: storeId, proof, move: "moved" });
    };
    killBefore("secrets.put");
    expect((await move(secret)).status).toBe(422);
    revive();
    expect((await move(elsewhere.fake.settings()?.linkSecret ?? "")).status).toBe(303);
    expect(await stores(fixture)).toMatchObject([{ storeId, address: elsewhere.fake.url }]);
    expect((await elsewhere.pay()).status).toBe(303);
  });

  it("a shop whose process died while it was wiped connects anew at once", async () => {
    for (const [write, nth] of [
      ["secrets.remove", 1],
      ["records.put registered-store", 2],
      ["records.remove store-address", 1],
    ] as const) {
      const { ledger, killBefore, revive } = mortalLedger();
      const fixture = await openServer({}, { ledger });
      const owner = await fixture.openShop();
      await owner.connect();
      killBefore(write, nth);
      await owner.call("disconnect", {});
      revive();
      expect((await owner.call("disconnect", {})).status, write).toBe(401);
      expect((await owner.connect()).status, write).toBe(303);
      const states = (await stores(fixture)).map((store) => (store as { readonly state: string }).state);
      expect(states.sort(), write).toEqual(["connected", "left"]);
      expect(await kept(fixture), write).toEqual({ links: 1, keys: 1, attempts: 0 });
    }
  });

  it("a webhook whose new secret was not stored is registered anew, also when the owner keeps the former key or does nothing", async () => {
    for (const comesBack of [true, false]) {
      let later = 0;
      const clock = { ...systemClock, now: () => systemClock.now() + later };
      const { ledger, killBefore, revive } = mortalLedger();
      const fixture = await openServer({}, { ledger, clock });
      const owner = await fixture.openShop();
      await owner.connect();
      const { control } = fixture.sandbox;
      const [organization] = await control.listOrganizations();
      const kind = { environment: "test", kind: "secret" } as const;
      const { key } = await control.generateKey(organization?.organization_id ?? "", kind);
      killBefore("credentials.put");
      await owner.connect({ apiKey: key });
      revive();
      if (comesBack) expect((await owner.connect({ apiKey: "" })).status).toBe(303);
      await waitFor(async () => {
        if (!comesBack) later += 5 * MINUTE;
        expect(await kept(fixture)).toMatchObject({ attempts: 0 });
      });
      later = 0;
      await expectDelivered(fixture, owner);
    }
  });
});
