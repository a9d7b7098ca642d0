import { signWebhook } from "@tillkit/client/webhooks";
import { StoreError } from "@tillkit/core";
import type { SceneName } from "./failpoints.ts";
import { ENDPOINT_ID } from "./messages.ts";
import type { Begun, Shopping } from "./shopping.ts";
import { type World, wait } from "./world.ts";

export type Scene = (world: World, shopping: Shopping) => Promise<void>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A worker renews what it has in work before so much time has passed. */
const LEASE_PART_MS = 50_000;

/** What happens in a shop, so that every step of the write path is come by. Each ends with everything where it belongs. */
export const SCENES: Readonly<Record<SceneName, Scene>> = { sale, pending, review, twice, refunds, faults, time };

async function sale(world: World, shopping: Shopping): Promise<void> {
  const quick = await shopping.place("read-then-write");
  await shopping.pay(await shopping.mustPress(quick));
  const slow = await shopping.place("callback");
  const begun = await shopping.mustPress(slow);
  await shopping.follow(begun, "cancel_url");
  await shopping.pay(begun, "failed");
  await shopping.settle(MINUTE);
  await sendByHand(world, "PAYMENT_FAILED", { checkout_session_id: begun.sessionId }, "PAYMENT_SUCCEEDED");
  await shopping.pay(begun);
  await shopping.follow(begun, "success_url");
  await shopping.untilPaid(quick);
  await shopping.untilPaid(slow);
}

async function pending(world: World, shopping: Shopping): Promise<void> {
  const order = await shopping.place("write-only");
  const transaction = await shopping.pay(await shopping.mustPress(order), "pending");
  const { probe } = world.shop.stores["write-only"];
  await shopping.until("the shop shows it pending", () => probe.status(order.ref.orderId) === "pending");
  await world.sandbox.control.completeTransaction(transaction);
  await shopping.untilPaid(order);
}

/** Paid for what the order no longer costs: one is accepted, the other given back. */
async function review(world: World, shopping: Shopping): Promise<void> {
  const orders = [await shopping.place("read-then-write"), await shopping.place("read-then-write")] as const;
  const held: Begun[] = [];
  for (const order of orders) {
    const begun = await shopping.mustPress(order);
    await shopping.edit(order, 6_000);
    await shopping.pay(begun);
    held.push(begun);
  }
  for (const [index, begun] of held.entries()) {
    await shopping.untilState(begun, "review");
    const orderId = orders[index]?.ref.orderId ?? "";
    await shopping.until(
      "the owner sees it",
      async () => (await world.shop.stores["read-then-write"].probe.holds(orderId)).length > 0,
    );
  }
  const [accepted, returned] = held as [Begun, Begun];
  await decide(world, shopping, accepted, "acceptReview");
  await decide(world, shopping, returned, "refundReview");
  await shopping.untilPaid(orders[0]);
  await shopping.untilState(returned, "refunded");
  const refunds = () => world.shop.stores["read-then-write"].refunds(orders[1].ref.orderId).length;
  await shopping.until("the shop shows the refund", () => refunds() > 0);
}

/** The owner clicks until it is done; a click after that is refused, which is as good. */
async function decide(
  world: World,
  shopping: Shopping,
  { paymentId }: Begun,
  what: "acceptReview" | "refundReview",
): Promise<void> {
  await shopping.until("the owner decided", async () => {
    const payment = await world.ask("payment", { paymentId });
    if (payment?.state !== "review") return true;
    await world.ask(what, { paymentId }).catch(() => undefined);
    return false;
  });
}

async function twice(world: World, shopping: Shopping): Promise<void> {
  const order = await shopping.place("read-then-write");
  const first = await shopping.mustPress(order);
  await shopping.edit(order, 6_000);
  await shopping.mustPress(order);
  await shopping.edit(order, 5_000);
  const last = await shopping.mustPress(order);
  await shopping.pay(last);
  await shopping.untilPaid(order);
  await shopping.untilState(last, "recorded");
  await shopping.pay(first);
  const { probe } = world.shop.stores["read-then-write"];
  await shopping.until(
    "the owner sees the second payment",
    async () => (await probe.notes(order.ref.orderId)).length > 0,
  );
}

/** Money goes back because the shop asked and because the owner did it in the service's dashboard, and answers are lost. */
async function refunds(world: World, shopping: Shopping): Promise<void> {
  const { control } = world.sandbox;
  const order = await shopping.place("read-then-write");
  const begun = await shopping.mustPress(order);
  const { paymentId } = begun;
  // Reads that do not name the transaction: it has to be found before money can go back.
  const path = "/checkout-sessions/{id}";
  await control.addFault({ method: "GET", path, patch: { transaction_id: null }, times: 1_000 });
  const transaction_id = await shopping.pay(begun, "completed", "card");
  await shopping.untilState(begun, "recorded");
  await control.changeSettings({ refunds: "pending" });
  await control.addFault({ method: "POST", path: "/refunds", when: "after", status: 403 });
  await control.addFault({ method: "POST", path: "/refunds", when: "before", status: 403 });
  const amount = { minor: 1_000, currency: "XOF" };
  await shopping.until("the shop's refund is answered", async () => {
    const { state } = await world.ask("refund", { paymentId, key: "click-1", amount, origin: "store" });
    return state === "pending";
  });
  const byDashboard = async (key: string) => {
    const request = { transaction_id, amount: 500, reason: "requested_by_customer", refund_type: "partial" } as const;
    return (await world.service.refunds.create(request, { idempotencyKey: key })).data.id;
  };
  // A fault that the shop's clicks have not met is not the dashboard's.
  await control.clearFaults();
  const [good, bad] = [await byDashboard("dashboard-1"), await byDashboard("dashboard-2")];
  await shopping.settle(0);
  await control.completeRefund(good);
  await control.failRefund(bad);
  const shown = () => world.shop.stores["read-then-write"].refunds(order.ref.orderId).length;
  await shopping.until("the shop shows the refund of the dashboard", () => shown() > 0);
  await control.createDispute({ transaction_id });
  await shopping.settle(HOUR);
}

/** The shop is not there, forgets to answer, and no longer knows our key. */
async function faults(world: World, shopping: Shopping): Promise<void> {
  const store = world.shop.stores["read-then-write"];
  const order = await shopping.place("read-then-write");
  const begun = await shopping.mustPress(order);
  // The webhook's own try leaves a job to the shop, that job is tried again, and then given up.
  failNextWrites(world, [
    new StoreError("unavailable", "The shop is not there."),
    new StoreError("unavailable", "The shop is not there."),
    new StoreError("reconnect", "The shop no longer knows our key."),
  ]);
  await shopping.pay(begun);
  await shopping.untilState(begun, "recorded");
  const slow = await shopping.place("read-then-write");
  const long = await shopping.mustPress(slow);
  // A job that takes longer than a third of its lease.
  world.shop.onNextCall("markPaid", () => world.jump(LEASE_PART_MS));
  await shopping.pay(long);
  await shopping.untilState(long, "recorded");
  const other = await shopping.place("read-then-write");
  const again = await shopping.mustPress(other);
  store.failNextWrite("lost-after-effect");
  await shopping.pay(again);
  await shopping.untilState(again, "recorded");
}

function failNextWrites({ shop }: Pick<World, "shop">, [error, ...later]: readonly StoreError[]): void {
  if (error === undefined) return;
  shop.onNextCall("markPaid", async () => {
    failNextWrites({ shop }, later);
    throw error;
  });
}

/** Nobody pays, somebody pays late, and the service refuses to open a page. */
async function time(world: World, shopping: Shopping): Promise<void> {
  const { control } = world.sandbox;
  const abandoned = await shopping.mustPress(await shopping.place("read-then-write"));
  const { probe } = world.shop.stores["write-only"];
  const left = await shopping.place("write-only");
  const refusable = await shopping.mustPress(left);
  const late = await shopping.place("callback");
  const begun = await shopping.mustPress(late);
  const transaction = await shopping.pay(begun, "pending");
  await shopping.untilState(begun, "expired");
  await control.completeTransaction(transaction);
  await shopping.untilPaid(late);
  const refused = await shopping.place("read-then-write");
  await control.addFault({ method: "POST", path: "/checkout-sessions", status: 400 });
  await shopping.mustPress(refused).catch(() => undefined);
  await control.clearFaults();
  await shopping.pay(await shopping.mustPress(refused));
  await shopping.untilPaid(refused);
  await shopping.untilState(abandoned, "closed");
  await shopping.untilState(refusable, "closed");
  await shopping.until("the shop is told that nobody paid", () => probe.status(left.ref.orderId) === "refused");
}

/** What the service would send, with a header that somebody on the way has changed. */
async function sendByHand(world: World, event: string, data: object, header: string): Promise<void> {
  const bytes = Buffer.from(JSON.stringify({ id: `evt_${event}`, event, timestamp: world.clock.now(), data }));
  const headers = {
    "Content-Type": "application/json",
    "X-Service-Signature": signWebhook(bytes, world.webhookSecret),
    "X-Service-Event": header,
  };
  for (;;) {
    const answer = await fetch(`${world.door.url}/hooks/service/${ENDPOINT_ID}`, {
      method: "POST",
      body: bytes,
      headers,
    }).catch(() => null);
    if (answer?.ok) return;
    if (answer && answer.status < 500) throw new Error(`A genuine webhook was answered ${answer.status}.`);
    await wait(5);
  }
}
