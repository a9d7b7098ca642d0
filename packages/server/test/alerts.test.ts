import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { verifyWebhook } from "@tillkit/client/webhooks";
import { createMemoryLedger, type Ledger, money } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CheckoutServerOptions } from "../src/index.ts";
import { type Mailbox, openMailbox } from "./world/mailbox.ts";
import { type MerchantWorld, openMerchantWorld, secretsTold } from "./world/merchant-world.ts";
import { OPERATOR_TOKEN } from "./world/operator.ts";
import { shopOrder } from "./world/small-shop.ts";

const MINUTE = 60_000;
const FROM = "till@boutique.example";
const TO = "adjoua@boutique.example";

let mailbox: Mailbox;
let ledger: Ledger;
const worlds: MerchantWorld[] = [];
beforeEach(async () => {
  mailbox = await openMailbox();
  ledger = createMemoryLedger();
});
afterEach(async () => {
  for (const world of worlds) expect(secretsTold(world)).toEqual([]);
  for (const world of worlds) expect(JSON.stringify(world.lines)).not.toContain("boutique.example");
  await Promise.all(worlds.splice(0).map((world) => world.close()));
  await mailbox.close();
});

async function open(
  alerts: Partial<NonNullable<CheckoutServerOptions["alerts"]>> = {},
  more: Partial<CheckoutServerOptions> = {},
) {
  const email = { smtpUrl: mailbox.smtpUrl, from: FROM, to: TO };
  const options = {
    ledger,
    operators: { tokens: [OPERATOR_TOKEN] },
    alerts: { language: "en", email, ...alerts },
    ...more,
  } as const;
  const world = await openMerchantWorld({ options });
  worlds.push(world);
  return world;
}

/** The order became dearer while its page was open, and then it was paid. */
async function holdPayment(world: MerchantWorld, orderId: string): Promise<void> {
  const ref = { storeId: "boutique", orderId };
  world.shop.order = { ...shopOrder, ref };
  const { returnPath } = await world.startPayment();
  world.shop.order = { ...shopOrder, ref, total: money(27_500, "XOF") };
  world.service.newest().status = "completed";
  await world.get(returnPath);
}

/** Something else paid the order while its page was open, and then the page was paid as well. */
async function payTwice(world: MerchantWorld): Promise<void> {
  const { returnPath } = await world.startPayment();
  world.shop.order = { ...shopOrder, paidBy: "outside", payable: false };
  world.service.newest().status = "completed";
  await world.get(returnPath);
}

/** Lets time pass, with time for what goes over the network. */
async function pass(world: MerchantWorld, ms: number, stepMs = 15_000): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await world.clock.advance(stepMs);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
}

const mailed = (count: number) => expect.poll(() => mailbox.mails.length, { timeout: 5_000 }).toBe(count);
/** As its reader sees it: quoted-printable undone. */
const newestMail = () => (mailbox.mails.at(-1)?.source ?? "").replace(/=\n/g, "").replaceAll("=3D", "=");

const HOUR = 60 * MINUTE;

/** The bank asks for the money of an order back; evidence is wanted until then. */
async function dispute(world: MerchantWorld, status: "pending" | "closed", evidenceDueBy: number, updatedAt = 0) {
  const id = "d1a2b3c4-5e6f-4a7b-8c9d-0e1f2a3b4c5d";
  const about = { paymentId: "p1", transactionId: null, amount: money(25_000, "XOF"), reason: "fraudulent" };
  const openedAt = world.clock.now();
  const kept = { id, ...about, status, outcome: null, evidenceDueBy, openedAt, updatedAt } as const;
  await ledger.commit({ disputes: [kept], timeline: [] });
}

describe("a dispute", () => {
  test("a dispute is alerted with its deadline when it opens and 48 hours before the deadline, without an amount", async () => {
    const world = await open();
    const dueBy = world.clock.now() + 48 * HOUR + 20 * MINUTE;
    await dispute(world, "pending", dueBy);
    world.checkout.startTimer();
    await world.clock.advance(5_000);
    await mailed(1);
    expect(newestMail()).toMatch(/^Subject: \[127\.0\.0\.1:\d+\] 1 payment is disputed$/m);
    expect(newestMail()).toContain(`${world.url}/operators/disputes`);
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
    expect(newestMail()).toContain(`first deadline for evidence: ${day.format(dueBy)} UTC`);
    expect(newestMail()).not.toMatch(/25.?000|fraudulent|d1a2b3c4/);
    await pass(world, 19 * MINUTE);
    expect(mailbox.mails).toHaveLength(1);
    await pass(world, 2 * MINUTE);
    await mailed(2);
    expect(newestMail()).toContain("1 dispute needs its evidence within 48 hours");
    await pass(world, 40 * MINUTE);
    expect(mailbox.mails).toHaveLength(2);
  });

  test("a dispute that is closed before its deadline is not alerted again", async () => {
    const world = await open();
    const dueBy = world.clock.now() + 48 * HOUR + 20 * MINUTE;
    await dispute(world, "pending", dueBy);
    world.checkout.startTimer();
    await world.clock.advance(5_000);
    await mailed(1);
    await dispute(world, "closed", dueBy, 1);
    await pass(world, 40 * MINUTE);
    expect(mailbox.mails).toHaveLength(1);
  });
});

describe("somebody who has to look", () => {
  test("a held payment is alerted at once by e-mail with a link, without a name, an amount or an order", async () => {
    const world = await open();
    await holdPayment(world, "1042");
    world.checkout.startTimer();
    await world.clock.advance(5_000);
    await mailed(1);
    expect(mailbox.mails[0]).toMatchObject({ from: FROM, to: [TO] });
    expect(newestMail()).toMatch(/^Subject: \[127\.0\.0\.1:\d+\] 1 payment is held$/m);
    expect(newestMail()).toContain(`${world.url}/operators/payments?state=review`);
    expect(newestMail()).not.toMatch(/1042|27.?500|Awa/);
  });

  test("each alert is sent once, and later ones come in one message after fifteen minutes", async () => {
    const world = await open();
    await holdPayment(world, "1");
    world.checkout.startTimer();
    await world.clock.advance(5_000);
    await mailed(1);
    await holdPayment(world, "2");
    await holdPayment(world, "3");
    await pass(world, 14 * MINUTE);
    expect(mailbox.mails).toHaveLength(1);
    await pass(world, 2 * MINUTE);
    await mailed(2);
    expect(newestMail()).toContain("2 payments are held (3 in total)");
    await pass(world, 20 * MINUTE);
    expect(mailbox.mails).toHaveLength(2);
  });

  test("an alert is not repeated by another process or after a restart", async () => {
    const [first, second] = [await open(), await open()];
    await holdPayment(first, "1");
    for (const world of [first, second]) world.checkout.startTimer();
    await Promise.all([pass(first, 20 * MINUTE), pass(second, 20 * MINUTE)]);
    await first.checkout.close();
    const third = await open();
    third.checkout.startTimer();
    await pass(third, 20 * MINUTE);
    expect(mailbox.mails).toHaveLength(1);
  });

  test("an alert that the mail server refuses is sent again later", async () => {
    const world = await open();
    mailbox.refuses = true;
    await holdPayment(world, "1");
    world.checkout.startTimer();
    await world.clock.advance(5_000);
    const failed = () => world.lines.filter(({ message }) => message === "alerts.send_failed").length;
    await expect.poll(failed, { timeout: 5_000 }).toBe(1);
    mailbox.refuses = false;
    await pass(world, MINUTE);
    await mailed(1);
  });

  test("alerts are in French when the option says so", async () => {
    const world = await open({ language: "fr" });
    await holdPayment(world, "1");
    world.checkout.startTimer();
    await world.clock.advance(5_000);
    await mailed(1);
    expect(newestMail()).toMatch(/1 paiement est retenu/);
  });

  test("orphaned events, dead-letter jobs, duplicate payments and outages are alerted", async () => {
    const world = await open();
    const now = world.clock.now();
    await ledger.receive([
      { endpointId: "boutique-test", digest: "d".repeat(64), bytes: new Uint8Array([1]), receivedAt: now },
    ]);
    const processed = {
      endpointId: "boutique-test",
      digest: "d".repeat(64),
      outcome: "orphan",
      paymentId: null,
      processedAt: now,
    } as const;
    const jobs = await ledger.claim({ worker: "w", now, leaseMs: MINUTE, limit: 9 });
    await ledger.commit({
      processed: [processed],
      retried: jobs.map(({ id }) => ({ id, dueAt: null, error: "x" })),
      timeline: [],
    });
    await payTwice(world);
    const { circuitBreakers } = world.checkout.engine;
    for (const paymentId of ["1", "2", "3"]) {
      for (const about of ["store:boutique", "credential:key_1"]) circuitBreakers.record(about, paymentId, false);
    }
    world.checkout.startTimer();
    await world.clock.advance(5_000);
    await mailed(1);
    const text = newestMail();
    for (const part of [
      "1 order was paid twice",
      "1 event without a payment",
      "1 job stopped",
      "2 shops or services do not answer",
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toContain("/operators/payments?state=duplicate");
    expect(text).toContain("/operators/dead");
  });

  /** Work that goes on by itself, after so many tries that failed. */
  async function keepFailing(world: MerchantWorld, tries: number, error: string): Promise<void> {
    const now = world.clock.now();
    const job = { kind: "confirm", storeId: "boutique", paymentId: null, payload: "", dueAt: now } as const;
    await ledger.commit({ jobs: [job], timeline: [] });
    for (let count = 1; count <= tries; count += 1) {
      const [claimed] = await ledger.claim({ worker: "w", now, leaseMs: MINUTE, limit: 1 });
      const dueAt = count < tries ? now : now + 24 * 60 * MINUTE;
      await ledger.commit({ retried: [{ id: claimed?.id ?? "", dueAt, error }], timeline: [] });
    }
  }

  test("a single job that has failed for ten minutes is alerted once, without an outage", async () => {
    const world = await open();
    await keepFailing(world, 10, "unavailable: The shop answered 503.");
    world.checkout.startTimer();
    await world.clock.advance(5_000);
    await mailed(1);
    expect(newestMail()).toContain("1 job keeps failing");
    await pass(world, 20 * MINUTE);
    expect(mailbox.mails).toHaveLength(1);
  });

  test("a failing job is alerted also when hundreds of newer jobs wait", async () => {
    const world = await open();
    await keepFailing(world, 10, "unavailable: The shop answered 503.");
    const dueAt = world.clock.now() + 60 * MINUTE;
    const job = { kind: "confirm", storeId: "boutique", paymentId: null, payload: "", dueAt } as const;
    await ledger.commit({ jobs: Array(250).fill(job), timeline: [] });
    world.checkout.startTimer();
    await world.clock.advance(5_000);
    await mailed(1);
    expect(newestMail()).toContain("1 job keeps failing");
  });

  test.each([
    ["after a few tries", 9, "unavailable: The shop answered 503."],
    ["while the money is on its way", 10, "pending: The money is on its way."],
  ])("a job that has not ended %s is not alerted", async (_when, tries, error) => {
    const world = await open();
    await keepFailing(world, tries, error);
    world.checkout.startTimer();
    await pass(world, 5 * MINUTE);
    expect(mailbox.mails).toEqual([]);
  });

  test("an outage is one alert, not one for each order that waits for it", async () => {
    const world = await open();
    await keepFailing(world, 10, "unavailable: The shop answered 503.");
    for (const paymentId of ["1", "2", "3"])
      world.checkout.engine.circuitBreakers.record("store:boutique", paymentId, false);
    world.checkout.startTimer();
    await world.clock.advance(5_000);
    await mailed(1);
    expect(newestMail()).toContain("1 shop or service does not answer");
    expect(newestMail()).not.toContain("keeps failing");
  });

  test("an outage that lasts is alerted again after six hours, and not sooner", async () => {
    const world = await open();
    for (const paymentId of ["1", "2", "3"])
      world.checkout.engine.circuitBreakers.record("store:boutique", paymentId, false);
    world.checkout.startTimer();
    await world.clock.advance(5_000);
    await mailed(1);
    await pass(world, 355 * MINUTE, 5 * MINUTE);
    expect(mailbox.mails).toHaveLength(1);
    await pass(world, 10 * MINUTE, 5 * MINUTE);
    await mailed(2);
    expect(newestMail()).toContain("1 shop or service does not answer");
  });
});

describe("a program that listens for alerts", () => {
  let receiver: Server;
  const received: { body: Buffer; signature: string | undefined }[] = [];
  let status = 204;
  beforeEach(async () => {
    status = 204;
    received.length = 0;
    receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      received.push({ body: Buffer.concat(chunks), signature: request.headersDistinct["x-tillkit-signature"]?.[0] });
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  });
  afterEach(() => {
    receiver.close();
  });

  const webhook = () => {
    const secret = "whsec_of_our_own_alerts";
    return { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/alerts`, secret };
  };

  test("the alert webhook receives signed counts, and each message until it accepts it", async () => {
    const world = await open({ webhook: webhook() });
    await holdPayment(world, "1");
    status = 500;
    world.checkout.startTimer();
    await world.clock.advance(5_000);
    await expect.poll(() => received.length, { timeout: 5_000 }).toBe(1);
    status = 204;
    await pass(world, MINUTE);
    await expect.poll(() => received.length, { timeout: 5_000 }).toBe(2);
    const [first, second] = received;
    const { body = Buffer.alloc(0), signature } = second ?? {};
    expect(verifyWebhook({ bytes: body, signature, secrets: [webhook().secret] })).toEqual({ secretIndex: 0 });
    const message = JSON.parse(body.toString());
    expect(message).toMatchObject({ type: "tillkit.alert", added: { held: 1 }, active: { held: 1 } });
    expect(message.operators_url).toBe(`${world.url}/operators`);
    expect(message.id).toBe(JSON.parse(first?.body.toString() ?? "").id);
    expect(mailbox.mails).toHaveLength(1);
    await pass(world, 20 * MINUTE);
    expect(received).toHaveLength(2);
  });
});
