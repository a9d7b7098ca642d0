import { money } from "@tillkit/core";
import { afterEach, expect, test } from "vitest";
import { type AppWorld, openAppWorld, saveSettings, TEST_KEY, WEBHOOK_SECRET } from "./world.ts";

const worlds: AppWorld[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

/** A refund that has to be rejected, in a shop whose token Shopify no longer takes. */
async function openLockedOut(): Promise<AppWorld> {
  const world = await openAppWorld();
  worlds.push(world);
  const { session } = await world.shop.startPayment({ total: money(5_000, "XOF"), test: true });
  world.simulator.faults.add({ on: "refundSessionReject", status: 401, times: 2 });
  await world.shop.requestRefund(session, money(1_000, "XOF"));
  await world.app.work();
  await world.app.work();
  return world;
}

const rejected = ({ shop }: AppWorld) => shop.record.of("refund-rejected").length;

test("a refund that Shopify cannot be told of waits for the owner, with an error in the log and no secret in it", async () => {
  const world = await openLockedOut();
  expect(rejected(world)).toBe(0);
  expect(world.lines.filter(({ level }) => level === "error").map(({ message }) => message)).toEqual([
    "shopify.reconnect",
    "outbox.task_dead",
  ]);
  await world.clock.advance(24 * 3_600_000);
  await world.app.work();
  expect(rejected(world)).toBe(0);
});

test("an owner who opens the app again lets us in, and what was given up goes on by itself", async () => {
  const world = await openLockedOut();
  const { url, text } = await world.shop.install();
  expect(url).toBe(`${world.url}/shopify/settings`);
  expect(text).not.toContain("laisse plus entrer");
  await world.app.work();
  expect(rejected(world)).toBe(1);
  await world.app.work();
  expect(rejected(world)).toBe(1);
});

test("an owner who opens the app again sets off everything that was given up, however much it is", async () => {
  const world = await openAppWorld();
  worlds.push(world);
  const { ledger, clock, shop } = world;
  const job = { kind: "note", storeId: shop.domain, paymentId: null, dueAt: clock.now() } as const;
  for (let each = 1; each <= 450; each += 1)
    await ledger.commit({ jobs: [{ ...job, payload: String(each) }], timeline: [] });
  const { rows: due } = await ledger.listJobs({ limit: 1_000 });
  await ledger.commit({ retried: due.map(({ id }) => ({ id, dueAt: null, error: "reconnect" })), timeline: [] });
  expect((await ledger.countJobs(clock.now())).dead).toBe(450);
  shop.uninstall();
  await shop.install();
  expect((await ledger.countJobs(clock.now())).dead).toBe(0);
});

test("work that waits is shown to the owner in their language, and goes on when they say so", async () => {
  const world = await openLockedOut();
  const { cookies } = await world.shop.install();
  await world.app.work();
  const { value, version } = (await world.ledger.records.list({ kind: "shopify-money", limit: 1 }))[0] ?? {
    version: 0,
  };
  const parked = { ...(value as object), reason: "refund_lost", doneAt: null };
  const [row] = await world.ledger.records.list({ kind: "shopify-money", limit: 1 });
  await world.ledger.records.put(world.shop.domain, "shopify-money", row?.key ?? "", parked, version);
  const page = async (lang: string) =>
    await (await fetch(`${world.url}/shopify/settings?lang=${lang}`, { headers: { Cookie: cookies } })).text();
  expect(await page("fr")).toContain("mais Shopify ne l’accepte plus\u00a0: notez-le");
  const english = await page("en");
  expect(english).toContain("Shopify no longer takes it");
  expect(english).toContain("1000.00 XOF");
  const [, form = ""] = /name="form" value="([^"]+)"/.exec(english) ?? [];
  const body = new URLSearchParams({ form, do: "replay", key: row?.key ?? "" });
  const answer = await fetch(`${world.url}/shopify/settings`, {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: cookies },
    body,
  });
  expect(answer.headers.get("location")).toBe("/shopify/settings?done=retried");
  const after = await page("en&done=retried");
  expect(after).toContain("It is being tried again");
  expect(after).not.toContain("Shopify no longer takes it");
});

test("a shop that its owner stopped takes no payment, and keeps no row of one", async () => {
  const world = await openAppWorld();
  worlds.push(world);
  await saveSettings(world, { testKey: TEST_KEY, testSecret: WEBHOOK_SECRET, paused: "yes" });
  const { answer } = await world.shop.startPayment({ total: money(5_000, "XOF"), test: true });
  expect(answer.status).toBe(422);
  expect(await world.rows("shopify-payment")).toBe(0);
});

test("an owner who set up the shop in English reads why a refund is rejected in English", async () => {
  const world = await openAppWorld();
  worlds.push(world);
  await saveSettings(world, { testKey: TEST_KEY, testSecret: WEBHOOK_SECRET });
  const { session } = await world.shop.startPayment({ total: money(5_000, "XOF"), test: true });
  const { session: capture } = await world.shop.requestCapture(session, money(5_000, "XOF"));
  await world.app.work();
  await world.app.work();
  expect(capture.rejection?.merchantMessage).toContain("there is no authorization to capture");
});
