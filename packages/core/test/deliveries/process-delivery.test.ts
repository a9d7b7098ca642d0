import { signWebhook } from "@tillkit/client/webhooks";
import { describe, expect, it } from "vitest";
import { signReference } from "../../src/hosts.ts";
import { limits, receiveWebhook, runDue, startCheckout } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder, REFERENCE_KEY } from "../fixture/samples.ts";
import { HOUR, passTime, startAndPay, startPayment } from "../fixture/steps.ts";

type Fields = Record<string, unknown>;
let eventCount = 0;

function bytesOf(event: string, data: Fields, envelope: Fields = {}): Uint8Array {
  eventCount += 1;
  return new TextEncoder().encode(JSON.stringify({ id: `event-${eventCount}`, event, data, ...envelope }));
}

/** The service sends this body. `header` is the unsigned header that repeats the event. */
async function deliver(fixture: EngineFixture, bytes: Uint8Array, header?: string) {
  const signature = signWebhook(bytes, "whsec_test");
  const answer = await receiveWebhook(fixture.engine, { endpointId: "main", bytes, signature, event: header });
  await fixture.work();
  return answer;
}

/** The shopper has paid the session at the service. No webhook has arrived yet. */
async function fixtureWithPaidSession() {
  const fixture = createEngineFixture();
  const paymentId = await startAndPay(fixture);
  return { fixture, paymentId };
}

/** The shopper has the page open and has not paid. */
async function fixtureWithOpenSession() {
  const fixture = createEngineFixture();
  await startCheckout(fixture.engine, anOrder());
  return { fixture };
}

const successEvent = (data: Fields = { checkout_session_id: "session-1", status: "completed" }) =>
  bytesOf("PAYMENT_SUCCEEDED", data);

describe("processing of deliveries", () => {
  it("a webhook alone marks the order paid", async () => {
    const { fixture } = await fixtureWithPaidSession();
    expect(await deliver(fixture, successEvent())).toMatchObject({ status: 200, code: "received" });
    expect(fixture.store.paid).toHaveLength(1);
  });

  it.each([
    [
      "a dispute",
      "DISPUTE_CREATED",
      { dispute_id: "dispute-1", amount: 1000, currency_code: "XOF", status: "pending" },
    ],
    ["a refund", "REFUND_COMPLETED", { refund_id: "refund-9" }],
  ])(
    "%s of a payment that was closed unpaid shows that money arrived, so the payment is judged",
    async (_what, event, data) => {
      const fixture = createEngineFixture();
      await startPayment(fixture);
      await passTime(fixture, { ms: 4 * 24 * HOUR, stepMs: HOUR });
      await fixture.expectPaymentIn("closed");
      fixture.service.pay("session-1");
      await deliver(fixture, bytesOf(event, { ...data, transaction_id: "transaction-of-session-1" }));
      expect(fixture.store.paid).toHaveLength(1);
      await fixture.expectPaymentIn("recorded");
    },
  );

  it("ten webhooks with new ids mark the order paid once and read the service once", async () => {
    const { fixture } = await fixtureWithPaidSession();
    for (let time = 0; time < 10; time += 1) await deliver(fixture, successEvent());
    expect(fixture.store.paid).toHaveLength(1);
    expect(fixture.service.reads).toHaveLength(1);
  });

  it("a webhook that reports a false success changes nothing, because the session is read", async () => {
    const fixture = createEngineFixture();
    await startPayment(fixture);
    await deliver(fixture, successEvent());
    expect(fixture.store.paid).toEqual([]);
    await fixture.expectPaymentIn("open");
  });

  it("a webhook without a valid signature is rejected before anything is stored", async () => {
    const { fixture } = await fixtureWithPaidSession();
    const bytes = successEvent();
    for (const signature of [undefined, "", "0".repeat(64), [signWebhook(bytes, "whsec_test"), "0".repeat(64)]]) {
      const answer = await receiveWebhook(fixture.engine, { endpointId: "main", bytes, signature });
      expect(answer).toMatchObject({ status: 401, code: "signature_invalid" });
    }
    await fixture.work();
    expect(fixture.store.paid).toEqual([]);
  });

  it("a webhook for an unknown endpoint and a webhook that is too large are rejected with a reason", async () => {
    const { fixture } = await fixtureWithPaidSession();
    const bytes = successEvent();
    const signature = signWebhook(bytes, "whsec_test");
    expect(await receiveWebhook(fixture.engine, { endpointId: "x", bytes, signature })).toMatchObject({ status: 404 });
    const huge = new Uint8Array(limits.maxDeliveryBytes + 1);
    expect(await receiveWebhook(fixture.engine, { endpointId: "main", bytes: huge, signature })).toMatchObject({
      status: 413,
    });
  });

  it("a webhook that cannot be stored gets 503, so that the service sends it again", async () => {
    const { fixture } = await fixtureWithPaidSession();
    const bytes = successEvent();
    const ledger = { ...fixture.ledger, receive: () => Promise.reject(new Error("disk full")) };
    const incoming = { endpointId: "main", bytes, signature: signWebhook(bytes, "whsec_test") };
    expect(await receiveWebhook({ ...fixture.engine, ledger }, incoming)).toMatchObject({ status: 503 });
  });

  it("a webhook that tells how the shopper paid saves a read, and the store learns it", async () => {
    const { fixture } = await fixtureWithPaidSession();
    const named = { checkout_session_id: "session-1", transaction_id: "transaction-of-session-1" };
    await deliver(fixture, successEvent({ ...named, provider_code: "MTN" }));
    expect(fixture.store.paid).toMatchObject([{ provider: "MTN" }]);
    expect(fixture.service.transactionReads).toBe(0);
  });

  it("a webhook without a session id is matched by our reference", async () => {
    const { fixture, paymentId } = await fixtureWithPaidSession();
    const metadata = { tillkit_reference: signReference(paymentId, REFERENCE_KEY) };
    await deliver(fixture, successEvent({ metadata }));
    expect(fixture.store.paid).toHaveLength(1);
  });

  it("a webhook that names only a transaction leads to one read of each open payment that the transaction fits", async () => {
    const { fixture } = await fixtureWithPaidSession();
    const sale = { transaction_id: "unknown", gross_amount: 5000, currency_code: "XOF" };
    const created_at = new Date(fixture.clock.now()).toISOString();
    await deliver(fixture, successEvent({ ...sale, created_at }));
    expect(fixture.store.paid).toHaveLength(1);
    expect(fixture.service.reads).toHaveLength(1);
  });

  it("five sales at a till that name only their transactions cost one read of an open payment each, however often they are reported", async () => {
    const { fixture } = await fixtureWithOpenSession();
    const created_at = new Date(fixture.clock.now()).toISOString();
    const sale = { gross_amount: 5000, currency_code: "XOF", created_at };
    for (let round = 0; round < 10; round += 1) {
      for (let till = 0; till < 5; till += 1) {
        await deliver(fixture, successEvent({ ...sale, transaction_id: `till-${till}` }));
      }
    }
    expect(fixture.service.reads).toHaveLength(5);
    await deliver(fixture, successEvent({ ...sale, gross_amount: 4999, transaction_id: "another-amount" }));
    expect(fixture.service.reads).toHaveLength(5);
    expect(fixture.store.paid).toEqual([]);
  });

  it("a webhook is matched by our reference in a process without the key that signed it", async () => {
    const { fixture, paymentId } = await fixtureWithPaidSession();
    const payment = await fixture.ledger.find({ id: paymentId });
    const bytes = bytesOf("PAYMENT_SUCCEEDED", { metadata: { tillkit_reference: payment?.reference } });
    const signature = signWebhook(bytes, "whsec_test");
    await receiveWebhook(fixture.engine, { endpointId: "main", bytes, signature });
    await runDue({ ...fixture.engine, referenceKeys: ["an older key, the only key of this process"] });
    expect(fixture.store.paid).toHaveLength(1);
  });

  it("a webhook with a forged reference leads to no read of a session", async () => {
    const { fixture, paymentId } = await fixtureWithPaidSession();
    await deliver(fixture, successEvent({ metadata: { tillkit_reference: `${paymentId}.0000` } }));
    expect(fixture.service.reads).toEqual([]);
  });

  it("a webhook of another integration on the same API key changes nothing", async () => {
    const { fixture } = await fixtureWithPaidSession();
    await deliver(
      fixture,
      successEvent({ checkout_session_id: "session-of-another-plugin", metadata: { order_id: "1042" } }),
    );
    expect(fixture.store.paid).toEqual([]);
    expect(fixture.service.reads).toEqual([]);
  });

  it("a webhook of the other environment changes nothing", async () => {
    const { fixture } = await fixtureWithPaidSession();
    await deliver(fixture, successEvent({ checkout_session_id: "session-1", environment: "live" }));
    expect(fixture.service.reads).toEqual([]);
  });

  it("a webhook about a payment of another credential changes nothing", async () => {
    const { fixture } = await fixtureWithPaidSession();
    const endpoint = { secrets: ["whsec_test"], credentialIds: ["another key"], environment: "test" } as const;
    const engine = { ...fixture.engine, tenants: { ...fixture.engine.tenants, endpoint: async () => endpoint } };
    const bytes = successEvent();
    await receiveWebhook(engine, { endpointId: "main", bytes, signature: signWebhook(bytes, "whsec_test") });
    expect(await runDue(engine)).toMatchObject({ done: 1 });
    expect(fixture.store.paid).toEqual([]);
    expect(fixture.service.reads).toEqual([]);
  });

  it("a webhook about our lost payment is an orphan and not unrelated", async () => {
    const fixture = createEngineFixture();
    const metadata = { tillkit_reference: signReference("lost", REFERENCE_KEY) };
    await deliver(fixture, successEvent({ checkout_session_id: "session-9", metadata }));
    const timeline = await fixture.ledger.timeline({ paymentId: "lost" });
    expect(timeline.map(({ kind }) => kind)).toEqual(["orphan"]);
  });

  it("a webhook whose unsigned header differs is processed by its body, and the difference is recorded", async () => {
    const { fixture, paymentId } = await fixtureWithPaidSession();
    await deliver(fixture, successEvent(), "PAYMENT_FAILED");
    expect(fixture.store.paid).toHaveLength(1);
    const timeline = await fixture.ledger.timeline({ paymentId });
    expect(timeline.map(({ kind }) => kind)).toContain("header_differs");
  });

  it.each([
    ["names its event in a nested object only", { note: { event: "PAYMENT_FAILED" } }, "PAYMENT_FAILED"],
    ["names its event inside a text only", { note: '"event":"PAYMENT_FAILED"' }, "PAYMENT_FAILED"],
  ])("a header is recorded as different when the body %s", async (_where, firstFields, header) => {
    const { fixture, paymentId } = await fixtureWithPaidSession();
    const bytes = Buffer.from(
      JSON.stringify({ ...firstFields, ...JSON.parse(Buffer.from(successEvent()).toString()) }),
    );
    await deliver(fixture, bytes, header);
    const timeline = await fixture.ledger.timeline({ paymentId });
    expect(timeline.map(({ kind }) => kind)).toContain("header_differs");
  });

  it("a hundred copies of a webhook with different unsigned headers add one timeline entry", async () => {
    const { fixture, paymentId } = await fixtureWithPaidSession();
    const bytes = successEvent();
    const copies = Array.from({ length: 100 }, (_, copy) => deliver(fixture, bytes, `PAYMENT_FAILED_${copy}`));
    await Promise.all(copies);
    for (let copy = 0; copy < 10; copy += 1) await deliver(fixture, bytes, `REFUND_COMPLETED_${copy}`);
    const timeline = await fixture.ledger.timeline({ paymentId });
    expect(timeline.filter(({ kind }) => kind === "header_differs")).toHaveLength(1);
    expect(fixture.store.paid).toHaveLength(1);
  });

  it("a webhook whose unsigned header differs is answered without a call to the service", async () => {
    const { fixture } = await fixtureWithPaidSession();
    fixture.service.fail = "down";
    const bytes = bytesOf("REFUND_COMPLETED", { refund_id: "refund-1", transaction_id: "unknown" });
    const signature = signWebhook(bytes, "whsec_test");
    const incoming = { endpointId: "main", bytes, signature, event: "REFUND_CREATED" };
    expect(await receiveWebhook(fixture.engine, incoming)).toMatchObject({ status: 200 });
  });

  it("a webhook about a failed attempt leaves the order payable and adds one timeline entry for all its copies", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    const failed = { checkout_session_id: "session-1", transaction_id: "t1", failure_code: "card_declined" };
    await deliver(fixture, bytesOf("PAYMENT_FAILED", failed));
    await deliver(fixture, bytesOf("PAYMENT_FAILED", failed));
    const timeline = await fixture.ledger.timeline({ paymentId });
    expect(timeline.filter(({ kind }) => kind === "attempt_failed")).toHaveLength(1);
    await fixture.expectPaymentIn("open");
  });

  // #region marked-pending
  it("a webhook about a started attempt marks the order pending in the store once", async () => {
    const fixture = createEngineFixture();
    await startPayment(fixture);
    await deliver(fixture, bytesOf("PAYMENT_CREATED", { checkout_session_id: "session-1" }));
    await deliver(fixture, bytesOf("PAYMENT_CREATED", { checkout_session_id: "session-1" }));
    expect(fixture.store.timesMarkedPending).toBe(0);
    await fixture.clock.advance(limits.pendingAfterMs);
    await fixture.work();
    expect(fixture.store.timesMarkedPending).toBe(1);
  });
  // #endregion marked-pending

  it("a webhook about a card that was declined at once never marks the order pending", async () => {
    const fixture = createEngineFixture();
    await startPayment(fixture);
    const attempt = { checkout_session_id: "session-1", transaction_id: "declined" };
    await deliver(fixture, bytesOf("PAYMENT_CREATED", attempt));
    await deliver(fixture, bytesOf("PAYMENT_FAILED", { ...attempt, failure_code: "card_declined" }));
    await fixture.clock.advance(limits.pendingAfterMs);
    await fixture.work();
    expect(fixture.store.timesMarkedPending).toBe(0);
  });

  it.each(["test.webhook", "SUBSCRIPTION_RENEWED", "SOMETHING_NEW"])(
    "a webhook with the event %s changes nothing",
    async (name) => {
      const { fixture } = await fixtureWithPaidSession();
      expect(await deliver(fixture, bytesOf(name, { id: "x" }))).toMatchObject({ status: 200 });
      expect(fixture.service.reads).toEqual([]);
    },
  );

  it("a webhook about another integration's transaction costs one read of the transaction and no read of our sessions", async () => {
    const fixture = createEngineFixture();
    for (let index = 0; index < 5; index += 1) {
      const order = anOrder({ ref: { storeId: "shop", orderId: `20${index}` } });
      await startCheckout(fixture.engine, order);
    }
    let calls = 0;
    const service = await fixture.engine.tenants.service("key");
    const transaction = { id: "txn_of_the_market", sessionId: "session-of-the-market", status: "completed" };
    const readTransaction = async () => {
      calls += 1;
      return transaction;
    };
    const tenants = { ...fixture.engine.tenants, service: async () => ({ ...service, readTransaction }) };
    const bytes = bytesOf("PAYMENT_SUCCEEDED", { transaction_id: transaction.id });
    const incoming = { endpointId: "main", bytes, signature: signWebhook(bytes, "whsec_test") };
    await receiveWebhook(fixture.engine, incoming);
    await runDue({ ...fixture.engine, tenants });
    expect([calls, fixture.service.reads.length]).toEqual([1, 0]);
  });

  it.each(["not json", "[]", "null", "{}", '{"event":5}', ""])(
    "a signed webhook with the body %j is stored and ignored",
    async (text) => {
      const { fixture } = await fixtureWithPaidSession();
      expect(await deliver(fixture, new TextEncoder().encode(text))).toMatchObject({ status: 200 });
      expect(fixture.service.reads).toEqual([]);
    },
  );

  it("a webhook that arrives during an outage of the service marks the order paid within two minutes after the outage", async () => {
    const { fixture } = await fixtureWithPaidSession();
    fixture.service.fail = "down";
    await deliver(fixture, successEvent());
    for (let minute = 0; minute < 60; minute += 1) {
      await fixture.clock.advance(60_000);
      await fixture.work();
    }
    fixture.service.fail = null;
    await fixture.clock.advance(120_000);
    await fixture.work();
    expect(fixture.store.paid).toHaveLength(1);
  });
});

describe("scheduled reads without any webhook", () => {
  it("a webhook about a held payment leaves one job behind while its order is busy, however long the service does not answer", async () => {
    const { fixture, paymentId } = await fixtureWithPaidSession();
    const { ledger, clock, service, store } = fixture;
    store.order = anOrder({ payable: false });
    await deliver(fixture, successEvent());
    await fixture.expectPaymentIn("review");
    service.failTransactions = true;
    const another = successEvent({ checkout_session_id: "session-1", transaction_id: "another-transaction" });
    for (let lease = 0; lease < 20; lease += 1) {
      await ledger.lockOrder({ storeId: "shop", orderId: "1042" }, "another worker", clock.now(), limits.orderLeaseMs);
      if (lease === 0) await deliver(fixture, another);
      else await fixture.work();
      await clock.advance(limits.orderLeaseMs);
    }
    const { rows } = await ledger.listJobs({ paymentId, limit: 100 });
    expect(rows.filter(({ payload }) => payload.startsWith("success"))).toHaveLength(1);
  });

  it("the timer alone marks the order of a paid session paid within ten minutes", async () => {
    const { fixture } = await fixtureWithPaidSession();
    for (let minute = 0; minute < 10; minute += 1) {
      await fixture.clock.advance(60_000);
      await fixture.work();
    }
    expect(fixture.store.paid).toHaveLength(1);
  });
});
