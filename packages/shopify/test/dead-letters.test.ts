import { money } from "@tillkit/core";
import { afterEach, expect, test } from "vitest";
import { type AppFixture, openAppFixture, saveSettings, TEST_KEY, WEBHOOK_SECRET } from "./app-fixture.ts";

const fixtures: AppFixture[] = [];
afterEach(async () => {
  await Promise.all(fixtures.splice(0).map((fixture) => fixture.close()));
});

/** A shop whose token Shopify refuses, with a refund that must be rejected. */
async function openWithoutAccess(): Promise<AppFixture> {
  const fixture = await openAppFixture();
  fixtures.push(fixture);
  const { session } = await fixture.shop.startPayment({ total: money(5_000, "XOF"), test: true });
  fixture.simulator.faults.add({ on: "refundSessionReject", status: 401, times: 2 });
  await fixture.shop.requestRefund(session, money(1_000, "XOF"));
  await fixture.app.runDue();
  await fixture.app.runDue();
  return fixture;
}

const timesRejected = ({ shop }: AppFixture) => shop.record.effectsOf("refund-rejected").length;

test("a refund task waits for the owner and is logged as an error when Shopify refuses the app's token", async () => {
  const fixture = await openWithoutAccess();
  expect(timesRejected(fixture)).toBe(0);
  expect(fixture.lines.filter(({ level }) => level === "error").map(({ message }) => message)).toEqual([
    "shopify.reconnect_required",
    "job.dead_letter",
  ]);
  await fixture.clock.advance(24 * 3_600_000);
  await fixture.app.runDue();
  expect(timesRejected(fixture)).toBe(0);
});

test("a dead refund task is retried when the owner opens the app again", async () => {
  const fixture = await openWithoutAccess();
  const { url, text } = await fixture.shop.install();
  expect(url).toBe(`${fixture.url}/shopify/settings`);
  expect(text).not.toContain("refuse notre accès");
  await fixture.app.runDue();
  expect(timesRejected(fixture)).toBe(1);
  await fixture.app.runDue();
  expect(timesRejected(fixture)).toBe(1);
});

test("all dead-letter jobs of a shop are retried when the owner opens the app again, even several pages of them", async () => {
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

test("the owner sees a dead refund task in their language and can retry it", async () => {
  const fixture = await openWithoutAccess();
  const { cookies } = await fixture.shop.install();
  const [job] = await fixture.jobs("shopify.modification");
  if (!job) return expect.fail("The app has no task.");
  const error = { code: "refund_not_recorded", message: "" };
  await fixture.ledger.commit({ retried: [{ id: job.id, dueAt: null, error }], timeline: [] });
  const settingsPage = async (query: string) =>
    await (await fetch(`${fixture.url}/shopify/settings?${query}`, { headers: { Cookie: cookies } })).text();
  expect(await settingsPage("lang=fr")).toContain("mais Shopify ne l’accepte plus. Enregistrez-le");
  const english = await settingsPage("lang=en");
  expect(english).toContain("Shopify no longer accepts it");
  expect(english).toContain("1000.00 XOF");
  const [, form = ""] = /name="form" value="([^"]+)"/.exec(english) ?? [];
  const body = new URLSearchParams({ form, do: "retry", key: job.id });
  const answer = await fetch(`${fixture.url}/shopify/settings`, {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: cookies },
    body,
  });
  expect(answer.headers.get("location")).toBe("/shopify/settings?done=retried");
  const after = await settingsPage("lang=en&done=retried");
  expect(after).toContain("We are trying again");
  expect(after).not.toContain("Shopify no longer accepts it");
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
