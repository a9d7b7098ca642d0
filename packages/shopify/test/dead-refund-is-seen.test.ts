import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { money, systemClock } from "@tillkit/core";
import { expect, onTestFinished, test } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { tillkit } from "../../cli/test/tillkit.ts";
import { logInOperator, OPERATOR_TOKEN } from "../../server/test/fixtures/operator.ts";
import { openAppFixture } from "./app-fixture.ts";

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
    // The command reads the time of the machine.
    now: systemClock.now(),
    config: {
      operators: { tokens: [OPERATOR_TOKEN] },
      metrics: { token: OPERATOR_TOKEN },
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

test("a dead refund task of Shopify is in the alert, the metric, the list and the command, and replay runs it again", async () => {
  const { fixture, database, alerts } = await openDeadRefund();
  const { app, url, clock, shop } = fixture;
  const timesRejected = () => shop.record.effectsOf("refund-rejected").length;
  expect(timesRejected()).toBe(0);

  const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
  expect(await metrics.text()).toContain('tillkit_jobs{status="dead"} 1');

  const operator = await logInOperator(fixture);
  const textOf = async (path: string) => await (await operator.open(path)).text();
  const name = "Handle a refund, capture or void that Shopify requested";
  const page = await textOf("/operators/dead");
  for (const text of [name, "not_delivered: Shopify could not be told the result.", shop.domain])
    expect(page).toContain(text);
  expect(await textOf("/operators")).toContain(name);
  await operator.open("/operators?lang=fr");
  expect(await textOf("/operators/dead")).toContain("Traiter un remboursement, une capture ou une annulation");

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
