import { money } from "@tillkit/core";
import { afterEach, expect, test } from "vitest";
import { type AppWish, type AppWorld, GATEWAY, openAppWorld } from "./world.ts";

const worlds: AppWorld[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

async function open(wish: AppWish): Promise<AppWorld> {
  const world = await openAppWorld(wish);
  worlds.push(world);
  return world;
}

const MINUTE = 60_000;

/** Lets time pass with the timer running, with time for what goes over the loopback. */
async function live({ clock }: AppWorld, ms: number, until: () => boolean): Promise<void> {
  for (let passed = 0; passed < ms && !until(); passed += 1_000) {
    await clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  for (let turn = 0; turn < 1_000 && !until(); turn += 1) await new Promise((resolve) => setTimeout(resolve, 10));
}

test("a version that Shopify no longer supports is told in the log a minute after the start, and on the owner's page", async () => {
  const world = await open({ app: { apiVersion: "2026-01" }, now: Date.UTC(2027, 5, 1) });
  const told = () =>
    world.lines.some(({ level, message }) => level === "error" && message === "shopify.version_not_supported");
  world.app.start();
  await live(world, 62_000, told);
  expect(told()).toBe(true);
  expect((await world.shop.install()).text).toContain("2026-01");
}, 30_000);

test("a version whose year is over in six weeks is told in the log, not to owners", async () => {
  const world = await open({ app: { apiVersion: "2026-01" } });
  const told = () => world.lines.find(({ message }) => message === "shopify.version_ends");
  world.app.start();
  await live(world, 62_000, () => told() !== undefined);
  expect(told()).toMatchObject({ level: "warn", fields: { version: "2026-01", from: "2027-01-01" } });
  expect((await world.shop.install()).text).not.toContain("2026-01");
}, 30_000);

test("a version that Shopify supports for long is nothing to tell", async () => {
  const world = await open({});
  world.app.start();
  await live(world, 62_000, () => world.shop.record.callsOf("publicApiVersions").length > 0);
  expect(world.lines.map(({ message }) => message).filter((message) => message.includes("version"))).toEqual([]);
}, 30_000);

test("an order whose webhook was lost gets its pay link within five minutes", async () => {
  const world = await open({ mode: "order" });
  world.simulator.webhooks.hold();
  const order = world.shop.placeOrder({ total: money(5_000, "XOF"), gateway: GATEWAY, test: true });
  world.app.start();
  await live(world, 5 * MINUTE + 2_000, () => order.metafields.has("$app:tillkit.pay_url"));
  expect(order.metafields.get("$app:tillkit.pay_url")?.value).toContain(`${world.url}/pay/`);
}, 30_000);

test("what an owner was told a year ago is forgotten, what is younger stays", async () => {
  const world = await open({});
  const { addNote } = await world.adapter();
  const ref = { storeId: world.shop.domain, orderId: "a group" };
  await addNote?.(ref, "old", "an old note");
  await world.clock.advance(366 * 24 * 60 * MINUTE);
  await addNote?.(ref, "young", "a young note");
  world.app.start();
  // What the daily round does next; the token of a year ago is over by then.
  await live(world, 62_000, () => world.lines.some(({ message }) => message === "shopify.versions_not_read"));
  const kept = await world.ledger.records.list({ kind: "shopify-line", limit: 10 });
  expect(kept.map(({ value }) => value)).toMatchObject([{ text: "a young note" }]);
}, 30_000);

test("orders of our method that wait for money are looked through a minute after the start", async () => {
  const world = await open({ mode: "order" });
  world.shop.placeOrder({ total: money(5_000, "XOF"), gateway: GATEWAY, test: true });
  world.shop.placeOrder({ total: money(5_000, "XOF"), gateway: "Cash on delivery", test: true });
  const sweeps = () => world.lines.filter(({ message }) => message === "shopify.swept").map(({ fields }) => fields);
  world.app.start();
  await live(world, 62_000, () => sweeps().length > 0);
  expect(sweeps()).toMatchObject([{ storeId: world.shop.domain, orders: 1, read: 0 }]);
}, 30_000);

test("an app whose toml is not deployed subscribes to what it needs, once", async () => {
  const world = await open({ mode: "order", app: { registerWebhooks: true } });
  const topics = () => world.shop.subscriptions.all.map(({ topic }) => topic).sort();
  const wanted = ["APP_UNINSTALLED", "ORDERS_CANCELLED", "ORDERS_CREATE", "ORDERS_UPDATED", "REFUNDS_CREATE"];
  expect(topics()).toEqual(wanted);
  const [first] = world.shop.subscriptions.all;
  world.shop.subscriptions.remove(first?.id ?? "");
  world.app.start();
  await live(world, 62_000, () => topics().length === wanted.length);
  expect(topics()).toEqual(wanted);
}, 30_000);
