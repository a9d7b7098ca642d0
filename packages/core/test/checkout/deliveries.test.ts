import { signWebhook } from "@tillkit/client/webhooks";
import { describe, expect, it } from "vitest";
import { limits, receiveWebhook, runDue, signReference, startCheckout } from "../../src/index.ts";
import { anOrder, REFERENCE_KEY } from "../fixtures.ts";
import { createSmallWorld, type SmallWorld } from "./small-world.ts";

type Fields = Record<string, unknown>;
let count = 0;

function bytesOf(event: string, data: Fields, envelope: Fields = {}): Uint8Array {
  count += 1;
  return new TextEncoder().encode(JSON.stringify({ id: `event-${count}`, event, data, ...envelope }));
}

async function deliver(world: SmallWorld, bytes: Uint8Array, header?: string) {
  const signature = signWebhook(bytes, "whsec_test");
  const answer = await receiveWebhook(world.engine, { endpointId: "main", bytes, signature, event: header });
  await world.work();
  return answer;
}

async function paidWorld() {
  const world = createSmallWorld();
  const { paymentId } = await startCheckout(world.engine, anOrder());
  world.service.pay("session-1");
  return { world, paymentId: paymentId ?? "" };
}

const succeeded = (data: Fields = { checkout_session_id: "session-1", status: "completed" }) =>
  bytesOf("PAYMENT_SUCCEEDED", data);

describe("processing of deliveries", () => {
  it("a webhook alone marks the order paid", async () => {
    const { world } = await paidWorld();
    expect(await deliver(world, succeeded())).toMatchObject({ status: 200, code: "received" });
    expect(world.store.paid).toHaveLength(1);
  });

  it("ten webhooks with new ids mark the order paid once and read the service once", async () => {
    const { world } = await paidWorld();
    for (let time = 0; time < 10; time += 1) await deliver(world, succeeded());
    expect(world.store.paid).toHaveLength(1);
    expect(world.service.reads).toHaveLength(1);
  });

  it("a webhook that reports a false success changes nothing, because the session is read", async () => {
    const world = createSmallWorld();
    await startCheckout(world.engine, anOrder());
    await deliver(world, succeeded());
    expect(world.store.paid).toEqual([]);
    await world.paymentIn("open");
  });

  it("a webhook without a valid signature is rejected before anything is stored", async () => {
    const { world } = await paidWorld();
    const bytes = succeeded();
    for (const signature of [undefined, "", "0".repeat(64), [signWebhook(bytes, "whsec_test"), "0".repeat(64)]]) {
      const answer = await receiveWebhook(world.engine, { endpointId: "main", bytes, signature });
      expect(answer).toMatchObject({ status: 401, code: "signature_invalid" });
    }
    await world.work();
    expect(world.store.paid).toEqual([]);
  });

  it("a webhook for an unknown endpoint, or one that is too large, is rejected with a reason", async () => {
    const { world } = await paidWorld();
    const bytes = succeeded();
    const signature = signWebhook(bytes, "whsec_test");
    expect(await receiveWebhook(world.engine, { endpointId: "x", bytes, signature })).toMatchObject({ status: 404 });
    const huge = new Uint8Array(limits.deliveryBytes + 1);
    expect(await receiveWebhook(world.engine, { endpointId: "main", bytes: huge, signature })).toMatchObject({
      status: 413,
    });
  });

  it("a webhook that cannot be stored gets 503, so that the service sends it again", async () => {
    const { world } = await paidWorld();
    const bytes = succeeded();
    const ledger = { ...world.ledger, receive: () => Promise.reject(new Error("disk full")) };
    const incoming = { endpointId: "main", bytes, signature: signWebhook(bytes, "whsec_test") };
    expect(await receiveWebhook({ ...world.engine, ledger }, incoming)).toMatchObject({ status: 503 });
  });

  it("a webhook without a session id is matched by our reference", async () => {
    const { world, paymentId } = await paidWorld();
    const metadata = { tillkit_reference: signReference(paymentId, REFERENCE_KEY) };
    await deliver(world, succeeded({ metadata }));
    expect(world.store.paid).toHaveLength(1);
  });

  it("a webhook without any id is matched with the open payments", async () => {
    const { world } = await paidWorld();
    await deliver(world, succeeded({ transaction_id: "unknown" }));
    expect(world.store.paid).toHaveLength(1);
  });

  it("a webhook is matched by our reference in a process without the key that signed it", async () => {
    const { world, paymentId } = await paidWorld();
    const payment = await world.ledger.find({ id: paymentId });
    const bytes = bytesOf("PAYMENT_SUCCEEDED", { metadata: { tillkit_reference: payment?.reference } });
    const signature = signWebhook(bytes, "whsec_test");
    await receiveWebhook(world.engine, { endpointId: "main", bytes, signature });
    await runDue({ ...world.engine, referenceKeys: ["the key of before, which this process still has"] });
    expect(world.store.paid).toHaveLength(1);
  });

  it("a webhook with a forged reference is unrelated", async () => {
    const { world, paymentId } = await paidWorld();
    await deliver(world, succeeded({ metadata: { tillkit_reference: `${paymentId}.0000` } }));
    expect(world.service.reads).toEqual([]);
  });

  it("a webhook of another integration on the same API key changes nothing", async () => {
    const { world } = await paidWorld();
    await deliver(world, succeeded({ checkout_session_id: "of another plugin", metadata: { order_id: "1042" } }));
    expect(world.store.paid).toEqual([]);
    expect(world.service.reads).toEqual([]);
  });

  it("a webhook of the other environment changes nothing", async () => {
    const { world } = await paidWorld();
    await deliver(world, succeeded({ checkout_session_id: "session-1", environment: "live" }));
    expect(world.service.reads).toEqual([]);
  });

  it("a webhook about a payment of another credential changes nothing", async () => {
    const { world } = await paidWorld();
    const endpoint = { secrets: ["whsec_test"], credentialIds: ["another key"], environment: "test" } as const;
    const engine = { ...world.engine, tenants: { ...world.engine.tenants, endpoint: async () => endpoint } };
    const bytes = succeeded();
    await receiveWebhook(engine, { endpointId: "main", bytes, signature: signWebhook(bytes, "whsec_test") });
    expect(await runDue(engine)).toMatchObject({ done: 1 });
    expect(world.store.paid).toEqual([]);
    expect(world.service.reads).toEqual([]);
  });

  it("a webhook about our lost payment is an orphan and not unrelated", async () => {
    const world = createSmallWorld();
    const metadata = { tillkit_reference: signReference("lost", REFERENCE_KEY) };
    await deliver(world, succeeded({ checkout_session_id: "session-9", metadata }));
    const story = await world.ledger.timeline({ paymentId: "lost" });
    expect(story.map(({ kind }) => kind)).toEqual(["orphan"]);
  });

  it("a webhook whose unsigned header differs is processed by its body, and the difference is recorded", async () => {
    const { world, paymentId } = await paidWorld();
    await deliver(world, succeeded(), "PAYMENT_FAILED");
    expect(world.store.paid).toHaveLength(1);
    const story = await world.ledger.timeline({ paymentId });
    expect(story.map(({ kind }) => kind)).toContain("header_differs");
  });

  it("a hundred copies of a webhook with different unsigned headers add one timeline entry", async () => {
    const { world, paymentId } = await paidWorld();
    const bytes = succeeded();
    const copies = Array.from({ length: 100 }, (_, copy) => deliver(world, bytes, `PAYMENT_FAILED_${copy}`));
    await Promise.all(copies);
    for (let copy = 0; copy < 10; copy += 1) await deliver(world, bytes, `REFUND_COMPLETED_${copy}`);
    const story = await world.ledger.timeline({ paymentId });
    expect(story.filter(({ kind }) => kind === "header_differs")).toHaveLength(1);
    expect(world.store.paid).toHaveLength(1);
  });

  it("a webhook whose unsigned header differs is answered without a call to the service", async () => {
    const { world } = await paidWorld();
    world.service.fail = "down";
    const bytes = bytesOf("REFUND_COMPLETED", { refund_id: "refund-1", transaction_id: "unheard of" });
    const signature = signWebhook(bytes, "whsec_test");
    const incoming = { endpointId: "main", bytes, signature, event: "REFUND_CREATED" };
    expect(await receiveWebhook(world.engine, incoming)).toMatchObject({ status: 200 });
  });

  it("a webhook about a failed attempt leaves the order payable and adds one timeline entry for all its copies", async () => {
    const world = createSmallWorld();
    const { paymentId } = await startCheckout(world.engine, anOrder());
    const failed = { checkout_session_id: "session-1", transaction_id: "t1", failure_code: "card_declined" };
    await deliver(world, bytesOf("PAYMENT_FAILED", failed));
    await deliver(world, bytesOf("PAYMENT_FAILED", failed));
    const story = await world.ledger.timeline({ paymentId: paymentId ?? "" });
    expect(story.filter(({ kind }) => kind === "attempt_failed")).toHaveLength(1);
    await world.paymentIn("open");
  });

  it("a webhook about a started attempt marks the order pending in the store once", async () => {
    const world = createSmallWorld();
    await startCheckout(world.engine, anOrder());
    await deliver(world, bytesOf("PAYMENT_CREATED", { checkout_session_id: "session-1" }));
    await deliver(world, bytesOf("PAYMENT_CREATED", { checkout_session_id: "session-1" }));
    expect(world.store.pendings).toBe(0);
    await world.clock.advance(limits.pendingAfterMs);
    await world.work();
    expect(world.store.pendings).toBe(1);
  });

  it("a webhook about a card that was declined at once never marks the order pending", async () => {
    const world = createSmallWorld();
    await startCheckout(world.engine, anOrder());
    const about = { checkout_session_id: "session-1", transaction_id: "declined" };
    await deliver(world, bytesOf("PAYMENT_CREATED", about));
    await deliver(world, bytesOf("PAYMENT_FAILED", { ...about, failure_code: "card_declined" }));
    await world.clock.advance(limits.pendingAfterMs);
    await world.work();
    expect(world.store.pendings).toBe(0);
  });

  it.each(["test.webhook", "SUBSCRIPTION_RENEWED", "SOMETHING_NEW"])(
    "a webhook with the event %s changes nothing",
    async (name) => {
      const { world } = await paidWorld();
      expect(await deliver(world, bytesOf(name, { id: "x" }))).toMatchObject({ status: 200 });
      expect(world.service.reads).toEqual([]);
    },
  );

  it("a webhook about another integration's transaction costs one read of it and no read of our sessions", async () => {
    const world = createSmallWorld();
    for (let index = 0; index < 5; index += 1) {
      const order = anOrder({ ref: { storeId: "shop", orderId: `20${index}` } });
      await startCheckout(world.engine, order);
    }
    let asked = 0;
    const service = await world.engine.tenants.service("key");
    const transaction = { id: "txn_of_the_market", sessionId: "session-of-the-market", status: "completed" };
    const readTransaction = async () => {
      asked += 1;
      return transaction;
    };
    const tenants = { ...world.engine.tenants, service: async () => ({ ...service, readTransaction }) };
    const bytes = bytesOf("PAYMENT_SUCCEEDED", { transaction_id: transaction.id });
    const incoming = { endpointId: "main", bytes, signature: signWebhook(bytes, "whsec_test") };
    await receiveWebhook(world.engine, incoming);
    await runDue({ ...world.engine, tenants });
    expect([asked, world.service.reads.length]).toEqual([1, 0]);
  });

  it.each(["not json", "[]", "null", "{}", '{"event":5}', ""])(
    "a signed webhook with the body %j is stored and ignored",
    async (text) => {
      const { world } = await paidWorld();
      expect(await deliver(world, new TextEncoder().encode(text))).toMatchObject({ status: 200 });
      expect(world.service.reads).toEqual([]);
    },
  );

  it("a webhook that arrives during an outage of the service marks the order paid within two minutes after it", async () => {
    const { world } = await paidWorld();
    world.service.fail = "down";
    await deliver(world, succeeded());
    for (let minute = 0; minute < 60; minute += 1) {
      await world.clock.advance(60_000);
      await world.work();
    }
    world.service.fail = null;
    await world.clock.advance(120_000);
    await world.work();
    expect(world.store.paid).toHaveLength(1);
  });
});

describe("scheduled reads without any webhook", () => {
  it("the timer alone marks a paid order within ten minutes", async () => {
    const { world } = await paidWorld();
    for (let minute = 0; minute < 10; minute += 1) {
      await world.clock.advance(60_000);
      await world.work();
    }
    expect(world.store.paid).toHaveLength(1);
  });
});
