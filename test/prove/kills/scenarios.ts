import { signWebhook } from "@tillkit/client/webhooks";
import { StoreError } from "@tillkit/core";
import type { ScenarioName } from "./failpoints.ts";
import { type KillFixture, wait } from "./fixture.ts";
import { ENDPOINT_ID } from "./messages.ts";
import { disputes, naming, restored } from "./money-scenarios.ts";
import type { ShopActions, StartedPayment } from "./shop-actions.ts";

export type Scenario = (fixture: KillFixture, actions: ShopActions) => Promise<void>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Longer than a third of a job's lease, so that the worker must renew the lease. */
const LONG_CALL_MS = 50_000;

/** The scenarios reach every step of the write path. Each ends with all payments in their final states. */
export const SCENARIOS: Readonly<Record<ScenarioName, Scenario>> = {
  sale,
  pending,
  review,
  twice,
  refunds,
  faults,
  time,
  disputes,
  naming,
  restored,
};

/** One order is paid at once. The shopper of the other cancels, fails to pay and then pays. */
async function sale(fixture: KillFixture, actions: ShopActions): Promise<void> {
  const paidAtOnce = await actions.place("read-then-write");
  await actions.pay(await actions.requirePayment(paidAtOnce));
  const paidLater = await actions.place("callback");
  const payment = await actions.requirePayment(paidLater);
  await actions.openLink(payment, "cancel_url");
  await actions.pay(payment, "failed");
  await actions.settle(MINUTE);
  await sendWithHeader(fixture, "PAYMENT_FAILED", { checkout_session_id: payment.sessionId }, "PAYMENT_SUCCEEDED");
  await actions.pay(payment);
  await actions.openLink(payment, "success_url");
  await actions.untilPaid(paidAtOnce);
  await actions.untilPaid(paidLater);
}

/** A payment is pending before it completes. */
async function pending(fixture: KillFixture, actions: ShopActions): Promise<void> {
  const order = await actions.place("write-only");
  const transaction = await actions.pay(await actions.requirePayment(order), "pending");
  const { probe } = fixture.shop.stores["write-only"];
  await actions.until("the shop shows the payment as pending", () => probe.status(order.ref.orderId) === "pending");
  await fixture.sandbox.control.completeTransaction(transaction);
  await actions.untilPaid(order);
}

/** Two payments arrive after their orders' totals changed: the owner accepts one and refunds the other. */
async function review(fixture: KillFixture, actions: ShopActions): Promise<void> {
  const orders = [await actions.place("read-then-write"), await actions.place("read-then-write")] as const;
  const held: StartedPayment[] = [];
  for (const order of orders) {
    const payment = await actions.requirePayment(order);
    await actions.edit(order, 6_000);
    await actions.pay(payment);
    held.push(payment);
  }
  for (const [index, payment] of held.entries()) {
    await actions.untilState(payment, "review");
    const orderId = orders[index]?.ref.orderId ?? "";
    await actions.until(
      "the owner sees the held payment",
      async () => (await fixture.shop.stores["read-then-write"].probe.holds(orderId)).length > 0,
    );
  }
  const [accepted, rejected] = held as [StartedPayment, StartedPayment];
  await decide(fixture, actions, accepted, "acceptReview");
  await decide(fixture, actions, rejected, "refundShown");
  await actions.untilPaid(orders[0]);
  await actions.untilState(rejected, "refunded");
  // The order never showed this payment, so its refund is a note on the order and no refund of the order.
  const notes = () => fixture.shop.stores["read-then-write"].probe.notes(orders[1].ref.orderId);
  await actions.until("the owner sees that the payment was refunded", async () =>
    (await notes()).some((text) => text.includes("was refunded")),
  );
}

/** The owner clicks until the payment leaves the review. A later click is rejected, which is fine. */
async function decide(
  fixture: KillFixture,
  actions: ShopActions,
  { paymentId }: StartedPayment,
  decision: "acceptReview" | "refundShown",
): Promise<void> {
  await actions.until("the owner decided", async () => {
    const payment = await fixture.request("payment", { paymentId });
    if (payment?.state !== "review") return true;
    await fixture.request(decision, { paymentId }).catch(() => undefined);
    return false;
  });
}

/** An order with changed totals is paid, and then its first session is paid too. */
async function twice(fixture: KillFixture, actions: ShopActions): Promise<void> {
  const order = await actions.place("read-then-write");
  const first = await actions.requirePayment(order);
  await actions.edit(order, 6_000);
  await actions.requirePayment(order);
  await actions.edit(order, 5_000);
  const last = await actions.requirePayment(order);
  await actions.pay(last);
  await actions.untilPaid(order);
  await actions.untilState(last, "recorded");
  await actions.pay(first);
  const { probe } = fixture.shop.stores["read-then-write"];
  await actions.until(
    "the owner sees the second payment",
    async () => (await probe.notes(order.ref.orderId)).length > 0,
  );
}

/** Refunds by the shop and in the service's dashboard, with lost answers. */
async function refunds(fixture: KillFixture, actions: ShopActions): Promise<void> {
  const { control } = fixture.sandbox;
  const order = await actions.place("read-then-write");
  const payment = await actions.requirePayment(order);
  const { paymentId } = payment;
  // The session does not name its transaction, so the refund must find the transaction first.
  const path = "/checkout-sessions/{id}";
  await control.addFault({ method: "GET", path, patch: { transaction_id: null }, times: 1_000 });
  const transaction_id = await actions.pay(payment, "completed", "card");
  await actions.untilState(payment, "recorded");
  await control.changeSettings({ refunds: "pending" });
  await control.addFault({ method: "POST", path: "/refunds", when: "after", status: 403 });
  await control.addFault({ method: "POST", path: "/refunds", when: "before", status: 403 });
  const amount = { minor: 1_000, currency: "XOF" };
  await actions.until("the shop's refund is answered", async () => {
    const { state } = await fixture.request("refund", { paymentId, key: "click-1", amount, origin: "store" });
    return state === "pending";
  });
  const refundInDashboard = async (key: string) => {
    const request = { transaction_id, amount: 500, reason: "requested_by_customer", refund_type: "partial" } as const;
    return (await fixture.service.refunds.create(request, { idempotencyKey: key })).data.id;
  };
  // Remove the faults that the shop's clicks have not met, so that the dashboard does not meet them.
  await control.clearFaults();
  const [completing, failing] = [await refundInDashboard("dashboard-1"), await refundInDashboard("dashboard-2")];
  await actions.settle(0);
  await control.completeRefund(completing);
  await control.failRefund(failing);
  const countShownRefunds = () => fixture.shop.stores["read-then-write"].refunds(order.ref.orderId).length;
  await actions.until("the shop shows the refund of the dashboard", () => countShownRefunds() > 0);
  await control.createDispute({ transaction_id });
  await actions.settle(HOUR);
}

/** The shop is down, loses an answer, does not accept our key for a while, and leaves an order to its owner. */
async function faults(fixture: KillFixture, actions: ShopActions): Promise<void> {
  const store = fixture.shop.stores["read-then-write"];
  const order = await actions.place("read-then-write");
  const payment = await actions.requirePayment(order);
  // The webhook's own attempt fails and leaves a store job; the job is retried, probes the shop and then becomes a dead-letter job.
  failNextWrites(fixture, [
    new StoreError("unavailable", "The shop is down."),
    new StoreError("unavailable", "The shop is down."),
    new StoreError("reconnect", "The shop does not accept our key."),
    new StoreError("owner", "Only the owner can record this payment."),
  ]);
  await actions.pay(payment);
  await actions.untilState(payment, "recorded");
  const slowOrder = await actions.place("read-then-write");
  const slowPayment = await actions.requirePayment(slowOrder);
  // A job that takes longer than a third of its lease.
  fixture.shop.onNextCall("markPaid", () => fixture.advanceTime(LONG_CALL_MS));
  await actions.pay(slowPayment);
  await actions.untilState(slowPayment, "recorded");
  const orderWithLostAnswer = await actions.place("read-then-write");
  const paymentWithLostAnswer = await actions.requirePayment(orderWithLostAnswer);
  store.failNextWrite("lost-after-effect");
  await actions.pay(paymentWithLostAnswer);
  await actions.untilState(paymentWithLostAnswer, "recorded");
}

function failNextWrites({ shop }: Pick<KillFixture, "shop">, [error, ...later]: readonly StoreError[]): void {
  if (error === undefined) return;
  shop.onNextCall("markPaid", async () => {
    failNextWrites({ shop }, later);
    throw error;
  });
}

/** Two orders are never paid, one is paid after its session expired, and the service rejects the first session of another. */
async function time(fixture: KillFixture, actions: ShopActions): Promise<void> {
  const { control } = fixture.sandbox;
  const abandoned = await actions.requirePayment(await actions.place("read-then-write"));
  const { probe } = fixture.shop.stores["write-only"];
  const unpaidOrder = await actions.place("write-only");
  const unpaid = await actions.requirePayment(unpaidOrder);
  const late = await actions.place("callback");
  const payment = await actions.requirePayment(late);
  const transaction = await actions.pay(payment, "pending");
  await actions.untilState(payment, "expired");
  await control.completeTransaction(transaction);
  await actions.untilPaid(late);
  const refused = await actions.place("read-then-write");
  await control.addFault({ method: "POST", path: "/checkout-sessions", status: 400 });
  await actions.requirePayment(refused).catch(() => undefined);
  await control.clearFaults();
  await actions.pay(await actions.requirePayment(refused));
  await actions.untilPaid(refused);
  await actions.untilState(abandoned, "closed");
  await actions.untilState(unpaid, "closed");
  await actions.until(
    "the shop shows the unpaid order as refused",
    () => probe.status(unpaidOrder.ref.orderId) === "refused",
  );
}

/** Sends an event as the service would, with a header that was changed on the way. */
async function sendWithHeader(fixture: KillFixture, event: string, data: object, header: string): Promise<void> {
  const bytes = Buffer.from(JSON.stringify({ id: `evt_${event}`, event, timestamp: fixture.clock.now(), data }));
  const headers = {
    "Content-Type": "application/json",
    "X-Service-Signature": signWebhook(bytes, fixture.webhookSecret),
    "X-Service-Event": header,
  };
  for (;;) {
    const answer = await fetch(`${fixture.loadBalancer.url}/hooks/service/${ENDPOINT_ID}`, {
      method: "POST",
      body: bytes,
      headers,
    }).catch(() => null);
    if (answer?.ok) return;
    if (answer && answer.status < 500) throw new Error(`A genuine webhook was answered ${answer.status}.`);
    await wait(5);
  }
}
