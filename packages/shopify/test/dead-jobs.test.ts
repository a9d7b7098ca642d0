import { money } from "@tillkit/core";
import { afterEach, expect, test } from "vitest";
import { createShops } from "../src/records/shops.ts";
import { type AppFixture, openAppFixture, saveSettings, TEST_KEY, WEBHOOK_SECRET } from "./app-fixture.ts";

const HOUR = 3_600_000;

const fixtures: AppFixture[] = [];
afterEach(async () => {
  await Promise.all(fixtures.splice(0).map((fixture) => fixture.close()));
});

/** A shop whose token Shopify refuses, with a refund that must be rejected. */
async function openWithoutAccess(): Promise<AppFixture> {
  const fixture = await openAppFixture();
  fixtures.push(fixture);
  const { session } = await fixture.shop.startPayment({ total: money(5_000, "XOF"), test: true });
  fixture.simulator.faults.add({ on: "refundSessionReject", status: 401, times: 9_999 });
  await fixture.shop.requestRefund(session, money(1_000, "XOF"));
  await fixture.app.runDue();
  await fixture.app.runDue();
  return fixture;
}

const timesRejected = ({ shop }: AppFixture) => shop.record.effectsOf("refund-rejected").length;

/** Lets the time pass in steps and runs the due jobs after each. */
async function passTime({ app, clock }: AppFixture, ms: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await clock.advance(stepMs);
    await app.runDue();
  }
}

const isDead = async ({ ledger, clock }: AppFixture) => (await ledger.countJobs(clock.now())).dead > 0;

test("a refund task waits while Shopify refuses the app's token, which is logged once as an error", async () => {
  const fixture = await openWithoutAccess();
  await passTime(fixture, 3 * HOUR, 15_000);
  expect(timesRejected(fixture)).toBe(0);
  expect(await isDead(fixture)).toBe(false);
  expect(fixture.lines.filter(({ level }) => level === "error").map(({ message }) => message)).toEqual([
    "shopify.reconnect_required",
  ]);
  const refusedCalls = fixture.lines.filter(({ message }) => message === "store.refuses");
  expect(refusedCalls).toHaveLength(1);
});

test("a refund task is done within a minute after the owner opened the app again, three hours after Shopify refused its token", async () => {
  const fixture = await openWithoutAccess();
  await passTime(fixture, 3 * HOUR, 15_000);
  fixture.simulator.faults.clear();
  const { url, text } = await fixture.shop.install();
  expect(url).toBe(`${fixture.url}/shopify/settings`);
  expect(text).not.toContain("refuse notre accès");
  await passTime(fixture, 60_000, 5_000);
  expect(timesRejected(fixture)).toBe(1);
});

test.each([10, 600])(
  "a refund task is done within a minute after Shopify had refused the app's token for %i seconds, and its owner need not act",
  async (seconds) => {
    const fixture = await openWithoutAccess();
    await passTime(fixture, seconds * 1_000, 5_000);
    fixture.simulator.faults.clear();
    await passTime(fixture, 60_000, 5_000);
    expect(timesRejected(fixture)).toBe(1);
    expect((await createShops(fixture.ledger.records).find(fixture.shop.domain))?.reconnectReason).toBeNull();
  },
);

test("a shop that uninstalled the app is asked no more, and its refund task waits for the next installation", async () => {
  const fixture = await openWithoutAccess();
  fixture.shop.uninstall();
  await passTime(fixture, 60_000, 5_000);
  expect(await isDead(fixture)).toBe(true);
  const row = await fixture.ledger.records.get(fixture.shop.domain, "store-block", "");
  expect(row?.value).toMatchObject({ refusals: {} });
  fixture.simulator.faults.clear();
  await fixture.shop.install();
  await passTime(fixture, 60_000, 5_000);
  expect(timesRejected(fixture)).toBe(1);
});

test("all dead jobs of a shop are retried when the owner opens the app again, even several pages of them", async () => {
  const fixture = await openAppFixture();
  fixtures.push(fixture);
  const { ledger, clock, shop } = fixture;
  const job = { kind: "note", storeId: shop.domain, paymentId: null, dueAt: clock.now() } as const;
  for (let number = 1; number <= 450; number += 1)
    await ledger.commit({ jobs: [{ ...job, payload: String(number) }], timeline: [] });
  const { rows: due } = await ledger.listJobs({ limit: 1_000 });
  await ledger.commit({
    retried: due.map(({ id }) => ({
      id,
      dueAt: null,
      error: { code: "reconnect", message: "The shop refused our connection." },
    })),
    timeline: [],
  });
  expect((await ledger.countJobs(clock.now())).dead).toBe(450);
  shop.uninstall();
  await shop.install();
  expect((await ledger.countJobs(clock.now())).dead).toBe(0);
});

/** The settings page of a shop with a dead refund task, and its forms. */
async function openDeadTask(code: "refund_not_recorded" | "not_delivered") {
  const fixture = await openWithoutAccess();
  const { cookies } = await fixture.shop.install();
  const [job] = await fixture.jobs("shopify.modification");
  const id = job?.id ?? "";
  await fixture.ledger.commit({ retried: [{ id, dueAt: null, error: { code, message: "" } }], timeline: [] });
  const settingsPage = async (query: string) =>
    await (await fetch(`${fixture.url}/shopify/settings?${query}`, { headers: { Cookie: cookies } })).text();
  const answer = async (what: "retry" | "recorded", key = id) => {
    const [, form = ""] = /name="form" value="([^"]+)"/.exec(await settingsPage("lang=en")) ?? [];
    const body = new URLSearchParams({ form, do: what, key });
    const headers = { Cookie: cookies };
    const init = { method: "POST", redirect: "manual", headers, body } as const;
    return (await fetch(`${fixture.url}/shopify/settings`, init)).headers.get("location");
  };
  return { ...fixture, id, settingsPage, answer };
}

test("the owner sees a dead refund task in their language and can retry it once", async () => {
  const { settingsPage, answer } = await openDeadTask("not_delivered");
  expect(await settingsPage("lang=fr")).toContain("Réessayez. 1000.00 XOF");
  const english = await settingsPage("lang=en");
  expect(english).toContain("We could not tell Shopify");
  expect(english).not.toContain('value="recorded"');
  expect(await answer("recorded")).toBe("/shopify/settings?done=retryable");
  expect(await answer("retry")).toBe("/shopify/settings?done=retried");
  const after = await settingsPage("lang=en&done=retried");
  expect(after).toContain("We are trying again");
  expect(after).not.toContain("We could not tell Shopify");
  expect(await answer("retry")).toBe("/shopify/settings?done=under_way");
  const [fixture] = fixtures;
  if (!fixture) return expect.fail("No app is open.");
  fixture.simulator.faults.clear();
  await passTime(fixture, 60_000, 5_000);
  expect(await answer("retry")).toBe("/shopify/settings?done=gone");
  expect(await settingsPage("lang=en&done=gone")).toContain("Nothing was done");
});

test("a refund that Shopify no longer accepts is not retried: the owner says that it is recorded by hand", async () => {
  const { ledger, id, settingsPage, answer, clock } = await openDeadTask("refund_not_recorded");
  expect(await settingsPage("lang=fr")).toContain("mais Shopify ne l’accepte plus. Enregistrez-le");
  const english = await settingsPage("lang=en");
  expect(english).toContain("Shopify no longer accepts it");
  expect(english).toContain("1000.00 XOF");
  expect(english).not.toContain('value="retry"');
  expect(await answer("retry")).toBe("/shopify/settings?done=by_hand");
  expect((await ledger.countJobs(clock.now())).dead).toBe(1);
  expect(await answer("recorded")).toBe("/shopify/settings?done=ended");
  expect(await settingsPage("lang=en")).not.toContain("Shopify no longer accepts it");
  expect((await ledger.listJobs({ id, limit: 1 })).rows).toEqual([]);
  const acts = (await ledger.listActs({ limit: 2 })).rows;
  expect(acts.map(({ act, detail }) => [act, detail])).toEqual([
    ["recorded_by_hand", id],
    ["retry", id],
  ]);
});

test("the owner is not told of a result that nobody knows when a refund stopped before it was decided", async () => {
  const { ledger, id, settingsPage } = await openDeadTask("not_delivered");
  const [job] = (await ledger.listJobs({ id, limit: 1 })).rows;
  const from = job?.payload ?? "{}";
  const payload = { from, to: JSON.stringify({ ...JSON.parse(from), result: null }) };
  const error = { code: "unexpected", message: "" };
  await ledger.commit({ retried: [{ id, dueAt: null, error, payload }], timeline: [] });
  const page = await settingsPage("lang=en");
  expect(page).toContain("stopped before it was finished. Try again: money goes back at most once. 1000.00 XOF");
  expect(page).not.toContain("We could not tell Shopify");
});

test("the owner sees a refund of the shop that stopped before it was paid, and who retried it is logged", async () => {
  const { ledger, clock, shop, settingsPage, answer } = await openDeadTask("refund_not_recorded");
  const task = { topic: "refunds/create", triggeredAt: clock.now(), orderIds: ["1042"], refundId: "77" };
  const job = { kind: "shopify.webhook", storeId: shop.domain, paymentId: null, dueAt: clock.now() } as const;
  await ledger.commit({ jobs: [{ ...job, payload: JSON.stringify(task), uniqueKey: "77" }], timeline: [] });
  const id = (await ledger.listJobs({ kind: "shopify.webhook", limit: 1 })).rows[0]?.id ?? "";
  const error = { code: "unexpected", message: "" };
  await ledger.commit({ retried: [{ id, dueAt: null, error }], timeline: [] });
  expect(await settingsPage("lang=fr")).toContain("votre client n’a peut-être pas reçu l’argent");
  expect(await settingsPage("lang=en")).toContain("money goes back at most once. 1042 77");
  expect(await answer("retry", id)).toBe("/shopify/settings?done=retried");
  expect((await ledger.listActs({ limit: 1 })).rows).toMatchObject([{ by: shop.domain, act: "retry", detail: id }]);
});

test("a refund that Shopify no longer accepts stays when the owner opens the app again", async () => {
  const { ledger, shop, clock } = await openDeadTask("refund_not_recorded");
  await shop.install();
  expect((await ledger.countJobs(clock.now())).dead).toBe(1);
});

test("a result that could not be delivered is sent as often as the first time when the owner retries it", async () => {
  const { ledger, id } = await openDeadTask("not_delivered");
  const [job] = (await ledger.listJobs({ id, limit: 1 })).rows;
  expect(JSON.parse(job?.payload ?? "")).toMatchObject({ result: { kind: "reject", attempts: 0 } });
});

test("a paused shop refuses a payment and stores no row of it", async () => {
  const fixture = await openAppFixture();
  fixtures.push(fixture);
  await saveSettings(fixture, { testKey: TEST_KEY, testSecret: WEBHOOK_SECRET, paused: "yes" });
  const { answer } = await fixture.shop.startPayment({ total: money(5_000, "XOF"), test: true });
  expect(answer.status).toBe(422);
  expect(await fixture.rows("shopify-payment")).toBe(0);
});

test("an owner who saved the settings in English reads the reason of a rejection in English", async () => {
  const fixture = await openAppFixture();
  fixtures.push(fixture);
  await saveSettings(fixture, { testKey: TEST_KEY, testSecret: WEBHOOK_SECRET });
  const { session } = await fixture.shop.startPayment({ total: money(5_000, "XOF"), test: true });
  const { session: capture } = await fixture.shop.requestCapture(session, money(5_000, "XOF"));
  await fixture.app.runDue();
  await fixture.app.runDue();
  expect(capture.rejection?.merchantMessage).toContain("there is no authorization to capture");
});
