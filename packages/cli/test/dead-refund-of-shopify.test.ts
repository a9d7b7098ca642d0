import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { money, systemClock } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { createShopifyApp } from "@tillkit/shopify";
import { createShopifySimulator } from "@tillkit/shopify-simulator";
import { createManualClock } from "@tillkit/testkit";
import { expect, onTestFinished, test } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { tillkit } from "./tillkit.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const TOKEN = "an operator's token of the tests, long enough";
const MINUTE = 60_000;
const NAME = "Handle a refund, capture or void that Shopify requested";

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Receives the alerts of the app. */
async function openAlertReceiver() {
  const received: { readonly added: object }[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    received.push(JSON.parse(Buffer.concat(parts).toString()) as (typeof received)[number]);
    response.writeHead(204).end();
  });
  return { received, url: await listen(server) };
}

/** Shopify's app with a shop whose refund waits for a person, because Shopify was down for longer than its own schedule. */
async function openDeadRefund() {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-dead-refund-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const database = `sqlite:${join(folder, "ledger.db")}`;
  const alerts = await openAlertReceiver();
  // The commands read the time of the machine.
  const clock = createManualClock(systemClock.now());
  const simulator = await createShopifySimulator({ clock });
  let listener: RequestListener = (_, response) => response.writeHead(503).end();
  const url = await listen(createServer((request, response) => listener(request, response)));
  const ledger = await openLedger(database, { secretKeys: [KEY] });
  const app = await createShopifyApp(
    {
      ...{ publicUrl: url, database, keys: [KEY], secretKeys: [KEY], service: { baseUrl: "http://127.0.0.1:9" } },
      ...{ clientCertificates: { verifiedBy: "none" }, currencies: ["XOF"], logLevel: "error" },
      operators: { tokens: [TOKEN] },
      metrics: { token: TOKEN },
      alerts: { language: "en", webhook: { url: alerts.url, secret: "whsec_of_the_tests_0123456789abcdef" } },
      app: { mode: "offsite", ...simulator.app, shopEndpoint: simulator.shopEndpoint },
    },
    { ledger, clock, log: { info() {}, warn() {}, error() {} } },
  );
  listener = app.listener;
  onTestFinished(async () => {
    const closing = app.close();
    // The app waits for its work in progress, on a clock that only this test moves.
    await clock.advance(20_000);
    await closing;
    await Promise.all([simulator.close(), ledger.close()]);
  });
  simulator.connectApp({
    ...{ url, entry: "/shopify", paymentUrl: "/shopify/payment", refundUrl: "/shopify/refund" },
    ...{ captureUrl: "/shopify/capture", voidUrl: "/shopify/void" },
    webhooks: { url: "/shopify/webhooks", topics: ["app/uninstalled"] },
  });
  const shop = simulator.openShop("acme");
  await shop.install();
  await app.checkout.storedCredentials?.put({
    ...{ id: `shopify-test-${shop.domain}`, storeIds: [shop.domain], apiKey: "svc_sk_test_of_the_tests" },
    ...{ baseUrl: "http://127.0.0.1:9", endpointId: "test_acme", webhookSecrets: ["whsec_of_the_tests"] },
  });
  const { session } = await shop.startPayment({ total: money(5_000, "XOF"), test: true });
  simulator.faults.add({ on: "refundSessionReject", status: 503, times: 1_000 });
  await shop.requestRefund(session, money(1_000, "XOF"));
  // The first step finds that nothing was paid, and the others tell Shopify.
  for (let step = 0; step < 60 && (await ledger.listJobs({ dead: true, limit: 1 })).rows.length === 0; step += 1) {
    await app.runDue();
    await clock.advance(4 * 60 * MINUTE);
  }
  simulator.faults.clear();
  return { database, alerts, clock, app, url, shop };
}

/** Reads pages as an operator in this language. */
async function logIn(url: string, language: "fr" | "en") {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { cookie, "accept-language": language };
    const answer = await fetch(`${url}${path}`, { ...init, redirect: "manual", headers });
    for (const text of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = text.split(";", 1)[0]?.split("=") ?? [];
      cookies.set(name, value);
    }
    return await answer.text();
  };
  const [, form = ""] = /name="form" value="([^"]+)"/.exec(await send("/operators/login")) ?? [];
  await send("/operators/login", { method: "POST", body: new URLSearchParams({ form, token: TOKEN }) });
  return (path: string) => send(path);
}

test("a dead refund task of Shopify is in the alert, the metric, the list and the command, and replay runs it again", async () => {
  const { database, alerts, clock, app, url, shop } = await openDeadRefund();
  const timesRejected = () => shop.record.effectsOf("refund-rejected").length;
  expect(timesRejected()).toBe(0);

  const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(await metrics.text()).toContain('tillkit_jobs{status="dead"} 1');

  const english = await logIn(url, "en");
  const page = await english("/operators/dead");
  for (const text of [NAME, "not_delivered: Shopify could not be told the result.", shop.domain])
    expect(page).toContain(text);
  expect(await english("/operators")).toContain(NAME);
  const french = await logIn(url, "fr");
  expect(await french("/operators/dead")).toContain("Traiter un remboursement, une capture ou une annulation");

  const listed = await tillkit("jobs", "--dead-letter", "--ledger", database);
  expect(listed.out).toMatch(/^\d+ {2}shopify\.modification {2}dead letter, \d+ attempts?\n {2}not_delivered: /);

  app.start();
  await waitFor(async () => {
    await clock.advance(MINUTE);
    expect(alerts.received).not.toEqual([]);
  });
  expect(alerts.received[0]?.added).toMatchObject({ dead_letter: 1 });

  expect(timesRejected()).toBe(0);
  const replayed = await tillkit("replay", "--all", "--ledger", database);
  expect(replayed.out).toContain("Retried 1 job");
  await waitFor(async () => {
    await clock.advance(MINUTE);
    expect(timesRejected()).toBe(1);
  });
  expect((await tillkit("jobs", "--dead-letter", "--ledger", database)).out).toBe("There are no dead-letter jobs.\n");
});
