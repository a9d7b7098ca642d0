import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, silentLog } from "@tillkit/core";
import type { Channel, ChannelMessage } from "@tillkit/server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Guard, openGuard } from "../src/guard/guard.ts";
import { createGuardServer } from "../src/guard/guard-server.ts";
import { createServiceReader } from "../src/readers/service/read-service.ts";
import { createWooCommerceReader } from "../src/readers/woocommerce.ts";
import { type OpenShop, openShop } from "./open-shop.ts";

const MINUTE = 60_000;
const signal = new AbortController().signal;

let shop: OpenShop;
let folder: string;
let now: number;
let sent: ChannelMessage[];
let failures: number;
/** Called right before a message counts as delivered. */
let onSend: () => void;
let guards: Guard[];

beforeEach(async () => {
  shop = await openShop();
  folder = await mkdtemp(join(tmpdir(), "tillkit-guard-"));
  now = Date.now() + 30 * MINUTE;
  sent = [];
  failures = 0;
  onSend = () => undefined;
  guards = [];
});
afterEach(async () => {
  for (const guard of guards) await guard.close();
  await shop.close();
  await rm(folder, { recursive: true, force: true });
});

const clock: Clock = { now: () => now, sleep: async () => undefined };

const channel: Channel = {
  name: "webhook",
  async send(message) {
    if (failures > 0) {
      failures -= 1;
      throw Object.assign(new Error("no"), { code: "ECONNREFUSED" });
    }
    sent.push(message);
    onSend();
  },
};

async function startGuard(): Promise<Guard> {
  const { url, consumerKey, consumerSecret } = shop.woo;
  const guard = await openGuard({
    store: `sqlite:${join(folder, "guard.db")}`,
    readers: {
      movements: [createServiceReader({ baseUrl: shop.sandbox.baseUrl, secretKey: shop.sandbox.keys.test.secret })],
      shops: [createWooCommerceReader({ shop: "boutique", url, consumerKey, consumerSecret })],
    },
    channels: [channel],
    clock,
    log: silentLog,
    language: "en",
    days: 30,
    everyMs: 5 * MINUTE,
    alertEveryMs: 15 * MINUTE,
    pageUrl: "https://guard.example/",
  });
  guards.push(guard);
  return guard;
}

/** Five minutes later, the next round. */
async function later(guard: Guard, minutes = 5): Promise<void> {
  now += minutes * MINUTE;
  await guard.round(signal);
}

const kinds = async (guard: Guard) => (await guard.findings.open(10)).map(({ finding }) => finding.kind);

describe("the guard", () => {
  it("a new finding is told once, when it was seen for ten minutes, without order or amount", async () => {
    await shop.buy(5_000);
    const { order } = await shop.buy(8_200, { hears: false });
    const guard = await startGuard();
    await later(guard);
    expect(await kinds(guard)).toEqual(["paid_not_shown"]);
    expect(sent).toEqual([]);
    for (let round = 0; round < 6; round += 1) await later(guard);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ added: { paid_not_shown: 1 }, operatorsUrl: "https://guard.example/" });
    expect(sent[0]?.text).not.toMatch(new RegExp(`${order}|8.?200`));
  });

  it("what heals within ten minutes is never told, and stands among the healed", async () => {
    const { order, transaction } = await shop.buy(8_200, { hears: false });
    const guard = await startGuard();
    await later(guard);
    const found = shop.woo.shop.order(order);
    if (found) shop.woo.shop.complete(found, transaction);
    for (let round = 0; round < 4; round += 1) await later(guard);
    expect(await kinds(guard)).toEqual([]);
    expect((await guard.findings.healed(10)).map(({ finding }) => finding.kind)).toEqual(["paid_not_shown"]);
    expect(sent).toEqual([]);
  });

  it("findings that come soon after a message wait for its interval, and come together", async () => {
    await shop.buy(8_200, { hears: false });
    const guard = await startGuard();
    for (let round = 0; round < 3; round += 1) await later(guard);
    expect(sent).toHaveLength(1);
    const { order } = await shop.buy(6_100);
    shop.woo.shop.addRefund(order, { amount: "1000", reason: "", meta: {} });
    await shop.buy(7_100, { hears: false });
    now += 40 * MINUTE;
    await guard.round(signal);
    await later(guard, 11);
    expect(sent).toHaveLength(2);
    expect(sent[1]?.added).toEqual({ paid_not_shown: 1, refund_on_one_side: 1 });
    expect(sent[1]?.active).toEqual({ paid_not_shown: 2, refund_on_one_side: 1 });
  });

  it("an alert that is not taken is sent again later, and none is lost", async () => {
    await shop.buy(8_200, { hears: false });
    failures = 2;
    const guard = await startGuard();
    for (let round = 0; round < 6; round += 1) await later(guard);
    expect(sent).toHaveLength(1);
  });

  it("a guard that was killed goes on: what was told is not told again, and what was found is told", async () => {
    await shop.buy(8_200, { hears: false });
    const first = await startGuard();
    await later(first);
    const second = await startGuard();
    for (let round = 0; round < 3; round += 1) await later(second);
    expect(sent).toHaveLength(1);
    const third = await startGuard();
    for (let round = 0; round < 6; round += 1) await later(third);
    expect(sent).toHaveLength(1);
  });

  it("a guard that dies right after a message was sent repeats it under the same id, once its lease is over", async () => {
    await shop.buy(8_200, { hears: false });
    const first = await startGuard();
    await later(first);
    onSend = () => {
      throw new Error("killed");
    };
    await later(first, 11);
    onSend = () => undefined;
    const second = await startGuard();
    for (let round = 0; round < 3; round += 1) await later(second);
    expect(sent).toHaveLength(2);
    expect(sent[1]?.id).toBe(sent[0]?.id);
  });

  it("two guards on one store tell everything once", async () => {
    await shop.buy(8_200, { hears: false });
    const [left, right] = [await startGuard(), await startGuard()];
    for (let round = 0; round < 5; round += 1) {
      now += 5 * MINUTE;
      await Promise.all([left.round(signal), right.round(signal)]);
    }
    expect(sent).toHaveLength(1);
  });

  it("an outage of the shop is no finding, heals nothing, and the next round goes on", async () => {
    await shop.buy(8_200, { hears: false });
    const guard = await startGuard();
    await later(guard);
    shop.woo.setRights("orders");
    const outage = new AbortController();
    const { url } = shop.woo;
    await shop.woo.close();
    await later(guard);
    expect(guard.lastRound()?.failure).toBe("shop_unreachable");
    expect(await kinds(guard)).toEqual(["paid_not_shown"]);
    expect(url).toContain("127.0.0.1");
    outage.abort();
    await later(guard, 11);
    expect(sent).toHaveLength(1);
  });

  it("a quiet round costs the key few calls, and writes nothing at either side", async () => {
    for (let number = 0; number < 5; number += 1) await shop.buy(5_000 + number);
    const guard = await startGuard();
    await later(guard);
    const before = shop.sandbox.control.listRequests().length;
    await later(guard);
    const requests = shop.sandbox.control.listRequests();
    expect(requests.length - before).toBeLessThanOrEqual(4);
    expect(new Set(requests.slice(0, requests.length - before).map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(shop.woo.requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
  });
});

describe("the page of the guard", () => {
  const token = "a token of at least thirty-two characters";

  async function serve(guard: Guard) {
    const server = createGuardServer(guard, { language: "fr", token, everyMs: 5 * MINUTE, now: () => now });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const get = (path: string, headers: Record<string, string> = {}) => fetch(base + path, { headers });
    return { get, server };
  }

  it("page and metrics need the token, health does not, and all say what is open", async () => {
    const { order } = await shop.buy(8_200, { hears: false });
    const guard = await startGuard();
    await later(guard);
    const { get, server } = await serve(guard);
    const basic = { authorization: `Basic ${Buffer.from(`owner:${token}`).toString("base64")}` };
    expect((await get("/")).status).toBe(401);
    expect((await get("/metrics", { authorization: "Bearer wrong" })).status).toBe(401);
    const page = await (await get("/", basic)).text();
    expect(page).toContain("Payé, mais pas affiché");
    expect(page).toContain(`>${order}<`);
    const metrics = await (await get("/metrics", { authorization: `Bearer ${token}` })).text();
    expect(metrics).toContain('tillkit_guard_findings_open{kind="paid_not_shown"} 1');
    expect(await (await get("/healthz")).json()).toEqual({ status: "ok", code: null });
    now += 60 * MINUTE;
    expect((await get("/healthz")).status).toBe(503);
    expect((await fetch((await get("/healthz")).url, { method: "POST" })).status).toBe(405);
    server.close();
  });
});
