import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { money } from "@tillkit/core";
import { afterEach, expect, test } from "vitest";
import { waitForLoopback } from "../../../test/waiting/loopback.ts";
import { type AppFixture, type AppFixtureOptions, GATEWAY, openAppFixture } from "./app-fixture.ts";

const fixtures: AppFixture[] = [];
afterEach(async () => {
  await Promise.all(fixtures.splice(0).map((fixture) => fixture.close()));
});

async function open(options: AppFixtureOptions): Promise<AppFixture> {
  const fixture = await openAppFixture(options);
  fixtures.push(fixture);
  return fixture;
}

const MINUTE = 60_000;
/** The daily tasks run for the first time a minute after the start. */
const FIRST_DAILY_RUN_MS = MINUTE + 2_000;

/**
 * Advances the clock by up to `ms` until the condition holds. Requests over the loopback take real time, so it waits for them after each
 * second of the clock, and at the end makes up to a thousand pauses until the condition holds.
 */
async function runUntil({ clock }: AppFixture, condition: () => boolean, ms: number): Promise<void> {
  const pause = (realMs: number) => new Promise((resolve) => setTimeout(resolve, realMs));
  for (let passed = 0; passed < ms && !condition(); passed += 1_000) {
    await clock.advance(1_000);
    await waitForLoopback();
  }
  for (let pauses = 0; pauses < 1_000 && !condition(); pauses += 1) await pause(10);
}

test("an API version that Shopify no longer supports is reported in the log after a minute and on the settings page", async () => {
  const fixture = await open({ app: { apiVersion: "2026-01" }, now: Date.UTC(2027, 5, 1) });
  const reported = () =>
    fixture.lines.some(({ level, message }) => level === "error" && message === "shopify.api_version_unsupported");
  fixture.app.start();
  await runUntil(fixture, reported, FIRST_DAILY_RUN_MS);
  expect(reported()).toBe(true);
  expect((await fixture.shop.install()).text).toContain("2026-01");
});

test("an API version that ends in six weeks is reported in the log and not on the settings page", async () => {
  const fixture = await open({ app: { apiVersion: "2026-01" } });
  const reported = () => fixture.lines.find(({ message }) => message === "shopify.api_version_ends");
  fixture.app.start();
  await runUntil(fixture, () => reported() !== undefined, FIRST_DAILY_RUN_MS);
  expect(reported()).toMatchObject({ level: "warn", fields: { version: "2026-01", endsOn: "2027-01-01" } });
  expect((await fixture.shop.install()).text).not.toContain("2026-01");
});

test("an API version that Shopify supports for a long time is not reported", async () => {
  const fixture = await open({});
  fixture.app.start();
  const wereVersionsRead = () => fixture.shop.record.callsOf("publicApiVersions").length > 0;
  await runUntil(fixture, wereVersionsRead, FIRST_DAILY_RUN_MS);
  expect(fixture.lines.map(({ message }) => message).filter((message) => message.includes("version"))).toEqual([]);
});

test("an order whose webhook was lost gets its pay link within five minutes", async () => {
  const fixture = await open({ mode: "order" });
  fixture.simulator.webhooks.hold();
  const order = fixture.shop.placeOrder({ total: money(5_000, "XOF"), gateway: GATEWAY, test: true });
  fixture.app.start();
  await runUntil(fixture, () => order.metafields.has("$app.pay_url"), 5 * MINUTE + 2_000);
  expect(order.metafields.get("$app.pay_url")?.value).toContain(`${fixture.url}/pay/`);
});

test("notices older than a year are removed and younger notices stay", async () => {
  const fixture = await open({});
  const { addNote } = await fixture.adapter();
  const ref = { storeId: fixture.shop.domain, orderId: "a group" };
  await addNote?.(ref, "old", "an old note");
  await fixture.clock.advance(366 * 24 * 60 * MINUTE);
  await addNote?.(ref, "young", "a young note");
  fixture.app.start();
  // After the pruning the daily task reads Shopify's API versions. That fails, because the token expired during the year.
  const isPruned = () => fixture.lines.some(({ message }) => message === "shopify.api_versions_not_read");
  await runUntil(fixture, isPruned, FIRST_DAILY_RUN_MS);
  const notices = await fixture.ledger.records.list({ kind: "shopify-notice", limit: 10 });
  expect(notices.map(({ value }) => value)).toMatchObject([{ text: "a young note" }]);
});

test("unpaid orders with our payment method are reconciled a minute after the start", async () => {
  const fixture = await open({ mode: "order" });
  fixture.shop.placeOrder({ total: money(5_000, "XOF"), gateway: GATEWAY, test: true });
  fixture.shop.placeOrder({ total: money(5_000, "XOF"), gateway: "Cash on delivery", test: true });
  const reconciliations = () =>
    fixture.lines.filter(({ message }) => message === "shopify.reconciled").map(({ fields }) => fields);
  fixture.app.start();
  await runUntil(fixture, () => reconciliations().length > 0, FIRST_DAILY_RUN_MS);
  expect(reconciliations()).toMatchObject([{ storeId: fixture.shop.domain, orders: 1, read: 0 }]);
});

test("an app whose toml file is not deployed creates each webhook subscription once", async () => {
  const fixture = await open({ mode: "order", app: { registerWebhooks: true } });
  const topics = () => fixture.shop.subscriptions.all.map(({ topic }) => topic).sort();
  const expected = ["APP_UNINSTALLED", "ORDERS_CANCELLED", "ORDERS_CREATE", "ORDERS_UPDATED", "REFUNDS_CREATE"];
  expect(topics()).toEqual(expected);
  const [first] = fixture.shop.subscriptions.all;
  fixture.shop.subscriptions.remove(first?.id ?? "");
  fixture.app.start();
  await runUntil(fixture, () => topics().length === expected.length, FIRST_DAILY_RUN_MS);
  expect(topics()).toEqual(expected);
});

test("an API version that ends in six weeks is shown by /readyz, which stays ready, and is one alert to the operator", async () => {
  const messages: { readonly subject: string; readonly added: object }[] = [];
  const receiver = createServer(async (request, response) => {
    messages.push(JSON.parse(Buffer.concat(await request.toArray()).toString("utf8")));
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as AddressInfo;
  const webhook = { url: `http://127.0.0.1:${port}`, secret: "a secret of the tests for alerts" };
  const fixture = await open({ app: { apiVersion: "2026-01" }, config: { alerts: { language: "en", webhook } } });
  fixture.app.start();
  await runUntil(fixture, () => messages.length > 0, 10 * MINUTE);
  // A second message would come in this time.
  await runUntil(fixture, () => messages.length > 1, 2 * MINUTE);
  expect(messages).toMatchObject([
    { subject: expect.stringContaining("1 warning of this server"), added: { warning: 1 } },
  ]);
  const response = await fetch(`${fixture.url}/readyz`);
  const { ready, warnings } = (await response.json()) as { readonly ready: boolean; readonly warnings: object[] };
  expect([response.status, ready]).toEqual([200, true]);
  const message = expect.stringContaining("supports version 2026-01 of its API until 2027-01-01");
  expect(warnings).toEqual([{ code: "host", message }]);
  receiver.close();
});

test("the customer of a payment session is removed at most five minutes after an hour", async () => {
  const fixture = await open({});
  await fixture.shop.startPayment({ total: money(5_000, "XOF") });
  const { records } = fixture.ledger;
  const countCustomers = async () => (await records.list({ kind: "shopify-payment-customer", limit: 10 })).length;
  expect(await countCustomers()).toBe(1);
  await fixture.clock.advance(55 * MINUTE);
  fixture.app.start();
  let customersLeft = 1;
  const poll = setInterval(async () => {
    customersLeft = await countCustomers();
  }, 5);
  await runUntil(fixture, () => customersLeft === 0, 10 * MINUTE + 2_000);
  clearInterval(poll);
  expect(await countCustomers()).toBe(0);
});
