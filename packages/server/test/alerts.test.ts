import { type Dispute, type JobError, type Ledger, money } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CheckoutServerOptions } from "../src/index.ts";
import { type MailServer, openMailServer } from "./fixtures/mail-server.ts";
import { loggedSecrets, type MerchantFixture, openCircuitBreaker, openMerchant } from "./fixtures/merchant.ts";
import { OPERATOR_TOKEN, openDispute } from "./fixtures/operator.ts";
import { shopOrder } from "./fixtures/small-shop.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FROM = "till@boutique.example";
const TO = "adjoua@boutique.example";

let mailServer: MailServer;
let ledger: Ledger;
const merchants: MerchantFixture[] = [];
beforeEach(async () => {
  mailServer = await openMailServer();
  ledger = createMemoryLedger();
});
afterEach(async () => {
  for (const merchant of merchants) expect(loggedSecrets(merchant)).toEqual([]);
  for (const merchant of merchants) expect(JSON.stringify(merchant.lines)).not.toContain("boutique.example");
  await Promise.all(merchants.splice(0).map((merchant) => merchant.close()));
  await mailServer.close();
});

async function open(
  alerts: Partial<NonNullable<CheckoutServerOptions["alerts"]>> = {},
  more: Partial<CheckoutServerOptions> = {},
) {
  const email = { smtpUrl: mailServer.smtpUrl, from: FROM, to: TO };
  const options = {
    ledger,
    operators: { tokens: [OPERATOR_TOKEN] },
    alerts: { language: "en", email, ...alerts },
    ...more,
  } as const;
  const merchant = await openMerchant({ options });
  merchants.push(merchant);
  return merchant;
}

/** Raises the order's total while its payment page is open, and then pays on the page. */
async function holdPayment(merchant: MerchantFixture, orderId: string): Promise<void> {
  const ref = { storeId: "boutique", orderId };
  merchant.shop.order = { ...shopOrder, ref };
  const { returnPath } = await merchant.startPayment();
  merchant.shop.order = { ...shopOrder, ref, total: money(27_500, "XOF") };
  merchant.service.newest().status = "completed";
  await merchant.get(returnPath);
}

/** Pays the order outside of the service while its payment page is open, and then pays on the page too. */
async function payTwice(merchant: MerchantFixture): Promise<void> {
  const { returnPath } = await merchant.startPayment();
  merchant.shop.order = { ...shopOrder, paidBy: "outside", payable: false };
  merchant.service.newest().status = "completed";
  await merchant.get(returnPath);
}

/** Advances the clock and gives network calls real time to end. */
async function advanceTime(
  merchant: MerchantFixture,
  ms: number,
  { stepMs = 15_000 }: { readonly stepMs?: number } = {},
): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await merchant.clock.advance(stepMs);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
}

const expectMails = (count: number) => expect.poll(() => mailServer.received.length).toBe(count);
/** The newest mail with quoted-printable decoded. */
const newestMail = () => (mailServer.received.at(-1)?.source ?? "").replace(/=\n/g, "").replaceAll("=3D", "=");

/** Stores a dispute with a deadline for evidence. */
async function storeDispute(
  merchant: MerchantFixture,
  { status, evidenceDueBy, updatedAt = 0 }: Pick<Dispute, "status" | "evidenceDueBy"> & { readonly updatedAt?: number },
) {
  const id = "d1a2b3c4-5e6f-4a7b-8c9d-0e1f2a3b4c5d";
  const claim = { paymentId: "p1", transactionId: null, amount: money(25_000, "XOF"), reason: "fraudulent" };
  const openedAt = merchant.clock.now();
  const dispute = { id, ...claim, status, outcome: null, evidenceDueBy, openedAt, updatedAt } as const;
  await ledger.commit({ disputes: [dispute], timeline: [] });
}

describe("a dispute", () => {
  test("a dispute is alerted with its deadline when it opens and 48 hours before the deadline, without an amount", async () => {
    const merchant = await open();
    const dueBy = merchant.clock.now() + 48 * HOUR + 20 * MINUTE;
    await storeDispute(merchant, { status: "pending", evidenceDueBy: dueBy });
    merchant.checkout.startTimer();
    await merchant.clock.advance(5_000);
    await expectMails(1);
    expect(newestMail()).toMatch(/^Subject: \[127\.0\.0\.1:\d+\] 1 payment is disputed$/m);
    expect(newestMail()).toContain(`${merchant.url}/operators/disputes`);
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
    expect(newestMail()).toContain(`first deadline for evidence: ${day.format(dueBy)} UTC`);
    expect(newestMail()).not.toMatch(/25.?000|fraudulent|d1a2b3c4/);
    await advanceTime(merchant, 19 * MINUTE);
    expect(mailServer.received).toHaveLength(1);
    await advanceTime(merchant, 2 * MINUTE);
    await expectMails(2);
    expect(newestMail()).toContain("1 dispute needs its evidence within 48 hours");
    await advanceTime(merchant, 40 * MINUTE);
    expect(mailServer.received).toHaveLength(2);
  });

  test("a dispute that is closed before its deadline is not alerted again", async () => {
    const merchant = await open();
    const dueBy = merchant.clock.now() + 48 * HOUR + 20 * MINUTE;
    await storeDispute(merchant, { status: "pending", evidenceDueBy: dueBy });
    merchant.checkout.startTimer();
    await merchant.clock.advance(5_000);
    await expectMails(1);
    await storeDispute(merchant, { status: "closed", evidenceDueBy: dueBy, updatedAt: 1 });
    await advanceTime(merchant, 40 * MINUTE);
    expect(mailServer.received).toHaveLength(1);
  });
});

describe("money that does not balance", () => {
  const paidPayment = async (merchant: MerchantFixture) => {
    const { paymentId, returnPath } = await merchant.startPayment();
    merchant.service.newest().status = "completed";
    await merchant.get(returnPath);
    return paymentId;
  };

  test("more than one transaction of a session is alerted until the further one is refunded", async () => {
    const merchant = await open();
    const paymentId = await paidPayment(merchant);
    const facts = { paymentId, code: null, amount: money(25_000, "XOF"), isRead: true, at: 0 } as const;
    const transactions = ["txn_1", "txn_2"].map((id) => ({ ...facts, id, evidence: "identity" as const }));
    await ledger.commit({ transactions, timeline: [] });
    merchant.checkout.startTimer();
    await merchant.clock.advance(5_000);
    await expectMails(1);
    expect(newestMail()).toMatch(/^Subject: \[127\.0\.0\.1:\d+\] 1 payment page received more than one payment$/m);
    await advanceTime(merchant, 20 * MINUTE);
    expect(mailServer.received).toHaveLength(1);
  });

  test("a dispute after a refund is alerted as more money that left than arrived", async () => {
    const merchant = await open({ language: "fr" });
    const paymentId = await paidPayment(merchant);
    const dispute = { ...openDispute(paymentId), amount: money(26_000, "XOF"), openedAt: merchant.clock.now() };
    await ledger.commit({ disputes: [dispute], timeline: [] });
    merchant.checkout.startTimer();
    await merchant.clock.advance(5_000);
    await expectMails(1);
    expect(newestMail()).toContain("- 1 paiement est contest");
    expect(newestMail()).toContain("il est sorti d");
  });

  test("a refund that waits for its transaction is alerted by that name, and not as a job that stopped", async () => {
    const merchant = await open();
    const job = { kind: "auto-refund", storeId: "boutique", paymentId: "p1", payload: "", dueAt: 0 } as const;
    await ledger.commit({ jobs: [job], timeline: [] });
    const [claimed] = await ledger.claim({ worker: "w", now: 1, leaseMs: 1_000, limit: 1 });
    const error: JobError = { code: "transaction_unknown", message: "Nobody names the transaction." };
    await ledger.commit({ retried: [{ id: claimed?.id ?? "", dueAt: null, error }], timeline: [] });
    merchant.checkout.startTimer();
    await merchant.clock.advance(5_000);
    await expectMails(1);
    expect(newestMail()).toContain("1 refund waits until a person chooses its transaction");
    expect(newestMail()).not.toContain("stopped");
  });
});

describe("alerts by e-mail", () => {
  test("a held payment is alerted at once by e-mail with a link, without a name, an amount or an order", async () => {
    const merchant = await open();
    await holdPayment(merchant, "1042");
    merchant.checkout.startTimer();
    await merchant.clock.advance(5_000);
    await expectMails(1);
    expect(mailServer.received[0]).toMatchObject({ from: FROM, to: [TO] });
    expect(newestMail()).toMatch(/^Subject: \[127\.0\.0\.1:\d+\] 1 payment is held$/m);
    expect(newestMail()).toContain(`${merchant.url}/operators/payments?state=review`);
    expect(newestMail()).not.toMatch(/1042|27.?500|Awa/);
  });

  test("each alert is sent once, and later alerts come in one message after fifteen minutes", async () => {
    const merchant = await open();
    await holdPayment(merchant, "1");
    merchant.checkout.startTimer();
    await merchant.clock.advance(5_000);
    await expectMails(1);
    await holdPayment(merchant, "2");
    await holdPayment(merchant, "3");
    await advanceTime(merchant, 14 * MINUTE);
    expect(mailServer.received).toHaveLength(1);
    await advanceTime(merchant, 2 * MINUTE);
    await expectMails(2);
    expect(newestMail()).toContain("2 payments are held (3 in total)");
    await advanceTime(merchant, 20 * MINUTE);
    expect(mailServer.received).toHaveLength(2);
  });

  test("an alert is not repeated by another process or after a restart", async () => {
    const [first, second] = [await open(), await open()];
    await holdPayment(first, "1");
    for (const merchant of [first, second]) merchant.checkout.startTimer();
    await Promise.all([advanceTime(first, 20 * MINUTE), advanceTime(second, 20 * MINUTE)]);
    await first.checkout.close();
    const third = await open();
    third.checkout.startTimer();
    await advanceTime(third, 20 * MINUTE);
    expect(mailServer.received).toHaveLength(1);
  });

  test("an alert that the mail server refuses is sent again later", async () => {
    const merchant = await open();
    mailServer.isRefusing = true;
    await holdPayment(merchant, "1");
    merchant.checkout.startTimer();
    await merchant.clock.advance(5_000);
    const failed = () => merchant.lines.filter(({ message }) => message === "alerts.send_failed").length;
    await expect.poll(failed).toBe(1);
    mailServer.isRefusing = false;
    await advanceTime(merchant, MINUTE);
    await expectMails(1);
  });

  test("alerts are in French when their language option is French", async () => {
    const merchant = await open({ language: "fr" });
    await holdPayment(merchant, "1");
    merchant.checkout.startTimer();
    await merchant.clock.advance(5_000);
    await expectMails(1);
    expect(newestMail()).toMatch(/1 paiement est retenu/);
  });

  test("orphaned events, dead-letter jobs, duplicate payments and outages are alerted", async () => {
    const merchant = await open();
    const now = merchant.clock.now();
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
      retried: jobs.map(({ id }) => ({ id, dueAt: null, error: { code: "unavailable", message: "X." } })),
      timeline: [],
    });
    await payTwice(merchant);
    for (const target of ["store:boutique", "credential:key_1"]) openCircuitBreaker(merchant, target);
    merchant.checkout.startTimer();
    await merchant.clock.advance(5_000);
    await expectMails(1);
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

  /** The retries of a job reach this number of attempts after about ten minutes. */
  const ATTEMPTS_OF_TEN_MINUTES = 10;
  const SHOP_DOWN: JobError = { code: "unavailable", message: "The shop answered 503." };

  /** Stores a job that has failed this many times and is retried later. */
  async function storeFailingJob(
    merchant: MerchantFixture,
    {
      attempts = ATTEMPTS_OF_TEN_MINUTES,
      error = SHOP_DOWN,
    }: { readonly attempts?: number; readonly error?: JobError } = {},
  ): Promise<void> {
    const now = merchant.clock.now();
    const job = { kind: "confirm", storeId: "boutique", paymentId: null, payload: "", dueAt: now } as const;
    await ledger.commit({ jobs: [job], timeline: [] });
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const [claimed] = await ledger.claim({ worker: "w", now, leaseMs: MINUTE, limit: 1 });
      const dueAt = attempt < attempts ? now : now + 24 * 60 * MINUTE;
      await ledger.commit({ retried: [{ id: claimed?.id ?? "", dueAt, error }], timeline: [] });
    }
  }

  test("a job of a kind that no running version knows is alerted after ten minutes, once for all jobs of its kind", async () => {
    const merchant = await open();
    const kind = "kind-of-a-newer-version" as "confirm";
    const job = { kind, storeId: "boutique", paymentId: null, payload: "", dueAt: merchant.clock.now() } as const;
    await ledger.commit({ jobs: Array(3).fill(job), timeline: [] });
    merchant.checkout.startTimer();
    await advanceTime(merchant, 9 * MINUTE);
    expect(mailServer.received).toHaveLength(0);
    await advanceTime(merchant, 2 * MINUTE);
    await expectMails(1);
    expect(newestMail()).toContain("Jobs of 1 kind have been due for ten minutes, and no server does them");
    expect((await ledger.countJobs(merchant.clock.now())).dead).toBe(0);
    await advanceTime(merchant, 20 * MINUTE);
    expect(mailServer.received).toHaveLength(1);
  });

  test("alerts are sent again within minutes after a clock that was thirty days ahead is set back", async () => {
    const merchant = await open();
    const notBefore = merchant.clock.now() + 30 * 24 * 60 * MINUTE;
    await ledger.records.put("", "alerts", "email", { sent: {}, failures: 0, notBefore }, "new");
    await storeFailingJob(merchant);
    merchant.checkout.startTimer();
    await advanceTime(merchant, 16 * MINUTE);
    await expectMails(1);
  });

  test("a single job that has failed for ten minutes is alerted once, without an outage", async () => {
    const merchant = await open();
    await storeFailingJob(merchant);
    merchant.checkout.startTimer();
    await merchant.clock.advance(5_000);
    await expectMails(1);
    expect(newestMail()).toContain("1 job keeps failing");
    await advanceTime(merchant, 20 * MINUTE);
    expect(mailServer.received).toHaveLength(1);
  });

  test("a failing job is alerted also when hundreds of newer jobs wait", async () => {
    const merchant = await open();
    await storeFailingJob(merchant);
    const dueAt = merchant.clock.now() + 60 * MINUTE;
    const job = { kind: "confirm", storeId: "boutique", paymentId: null, payload: "", dueAt } as const;
    await ledger.commit({ jobs: Array(250).fill(job), timeline: [] });
    merchant.checkout.startTimer();
    await merchant.clock.advance(5_000);
    await expectMails(1);
    expect(newestMail()).toContain("1 job keeps failing");
  });

  test.each([
    ["that failed only nine times", { attempts: ATTEMPTS_OF_TEN_MINUTES - 1 }],
    ["that waits for a pending refund", { error: { code: "pending", message: "The refund is pending." } }],
  ] as const)("a job %s is not alerted", async (_what, failing) => {
    const merchant = await open();
    await storeFailingJob(merchant, failing);
    merchant.checkout.startTimer();
    await advanceTime(merchant, 5 * MINUTE);
    expect(mailServer.received).toEqual([]);
  });

  test("an outage is one alert, and the jobs that fail because of the outage add no alert", async () => {
    const merchant = await open();
    await storeFailingJob(merchant);
    openCircuitBreaker(merchant, "store:boutique");
    merchant.checkout.startTimer();
    await merchant.clock.advance(5_000);
    await expectMails(1);
    expect(newestMail()).toContain("1 shop or service does not answer");
    expect(newestMail()).not.toContain("keeps failing");
  });

  test("an outage that lasts is alerted again after six hours, and not sooner", async () => {
    const merchant = await open();
    openCircuitBreaker(merchant, "store:boutique");
    merchant.checkout.startTimer();
    await merchant.clock.advance(5_000);
    await expectMails(1);
    await advanceTime(merchant, 355 * MINUTE, { stepMs: 5 * MINUTE });
    expect(mailServer.received).toHaveLength(1);
    await advanceTime(merchant, 10 * MINUTE, { stepMs: 5 * MINUTE });
    await expectMails(2);
    expect(newestMail()).toContain("1 shop or service does not answer");
  });
});
