import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { money } from "@tillkit/core";
import { expect, onTestFinished, test } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { tillkit } from "../../cli/test/tillkit.ts";
import { type AppFixture, openAppFixture } from "./app-fixture.ts";

const TOKEN = "an operator's token of the tests, long enough";
const MINUTE = 60_000;

/** Receives the alerts of the app. */
async function openAlertReceiver() {
  const received: { readonly added: object }[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    received.push(JSON.parse(Buffer.concat(parts).toString()) as (typeof received)[number]);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A shop whose refund waits for a person, because Shopify refused the app's token. */
async function openDeadRefund() {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-shopify-"));
  const alerts = await openAlertReceiver();
  const database = `sqlite:${join(folder, "ledger.db")}`;
  const fixture = await openAppFixture({
    database,
    config: {
      operators: { tokens: [TOKEN] },
      metrics: { token: TOKEN },
      alerts: { language: "en", webhook: { url: alerts.url, secret: "whsec_of_the_tests_0123456789abcdef" } },
    },
  });
  onTestFinished(async () => {
    await fixture.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { session } = await fixture.shop.startPayment({ total: money(5_000, "XOF"), test: true });
  fixture.simulator.faults.add({ on: "refundSessionReject", status: 401, times: 2 });
  await fixture.shop.requestRefund(session, money(1_000, "XOF"));
  await fixture.app.runDue();
  await fixture.app.runDue();
  return { fixture, database, alerts };
}

/** The pages as an operator reads them, in this language. */
async function logIn({ url }: AppFixture, language: "fr" | "en") {
  let cookie = "";
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = { cookie, "accept-language": language };
    const answer = await fetch(`${url}${path}`, { ...init, redirect: "manual", headers });
    cookie = [cookie, ...answer.headers.getSetCookie().map((text) => text.split(";", 1)[0] ?? "")]
      .filter(Boolean)
      .join("; ");
    return await answer.text();
  };
  const [, form = ""] = /name="form" value="([^"]+)"/.exec(await send("/operators/login")) ?? [];
  await send("/operators/login", { method: "POST", body: new URLSearchParams({ form, token: TOKEN }) });
  return send;
}

test("a dead refund task of Shopify is in the alert, the metric, the list and the command, and replay runs it again", async () => {
  const { fixture, database, alerts } = await openDeadRefund();
  const { app, url, clock, shop } = fixture;
  const timesRejected = () => shop.record.effectsOf("refund-rejected").length;
  expect(timesRejected()).toBe(0);

  const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(await metrics.text()).toContain('tillkit_jobs{status="dead"} 1');

  const english = await logIn(fixture, "en");
  const page = await english("/operators/dead");
  expect(page).toContain("Handle a refund, capture or void that Shopify requested");
  expect(page).toContain("not_delivered: Shopify could not be told the result.");
  expect(page).toContain(shop.domain);
  expect(await english("/operators")).toContain("Handle a refund, capture or void that Shopify requested");
  const french = await logIn(fixture, "fr");
  expect(await french("/operators/dead")).toContain(
    "Traiter un remboursement, une capture ou une annulation demandés par Shopify",
  );

  const listed = await tillkit("jobs", "--dead-letter", "--ledger", database);
  expect(listed.out).toMatch(/^\d+ {2}shopify\.modification {2}dead letter, 1 attempt\n {2}not_delivered: /);

  app.start();
  await waitFor(async () => {
    await clock.advance(MINUTE);
    expect(alerts.received).not.toEqual([]);
  });
  expect(alerts.received[0]?.added).toMatchObject({ dead_letter: 1 });

  expect(timesRejected()).toBe(0);
  const replayed = await tillkit("replay", "--all", "--ledger", database);
  expect(replayed.out).toContain("Retried 1 job");
  await shop.install();
  await waitFor(async () => {
    await clock.advance(MINUTE);
    expect(timesRejected()).toBe(1);
  });
  expect((await tillkit("jobs", "--dead-letter", "--ledger", database)).out).toBe("There are no dead-letter jobs.\n");
});
