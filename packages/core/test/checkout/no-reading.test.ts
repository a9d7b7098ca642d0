import { signWebhook } from "@tillkit/client/webhooks";
import { describe, expect, it } from "vitest";
import { confirmPayment, limits, receiveWebhook, startCheckout } from "../../src/index.ts";
import { anOrder } from "../fixtures.ts";
import { createSmallWorld, type SmallWorld } from "./small-world.ts";

const MINUTE = 60_000;

/** The service answers 404, 403 or an empty body when this session is read. */
function forget(world: SmallWorld, sessionId: string): () => void {
  const session = world.service.sessions.get(sessionId);
  if (!session) throw new Error(`There is no ${sessionId}.`);
  session.lies = { id: undefined, status: undefined };
  return () => {
    session.lies = {};
  };
}

async function workUntil(world: SmallWorld, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    await world.clock.advance(MINUTE);
    await world.work();
  }
}

async function hear(world: SmallWorld, data: object = { checkout_session_id: "session-1" }): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify({ id: "e1", event: "PAYMENT_SUCCEEDED", data }));
  await receiveWebhook(world.engine, { endpointId: "main", bytes, signature: signWebhook(bytes, "whsec_test") });
  await world.work();
}

describe("an order whose session cannot be read", () => {
  it("an order with an unreadable session can be paid on another page and is not shown as held", async () => {
    const world = createSmallWorld();
    const first = await startCheckout(world.engine, anOrder());
    forget(world, "session-1");
    expect(await confirmPayment(world.engine, first.paymentId ?? "", { actor: "shopper" })).toMatchObject({
      status: "waiting",
      payment: { state: "open", finding: { code: "not_verifiable" } },
    });
    expect(world.store.holds).toEqual([]);
    const again = await startCheckout(world.engine, anOrder());
    expect(again).toMatchObject({ status: "redirect", url: expect.stringContaining("session-2") });
  });

  it("a shopper gets the same page again once its session can be read", async () => {
    const world = createSmallWorld();
    const first = await startCheckout(world.engine, anOrder());
    const remember = forget(world, "session-1");
    await confirmPayment(world.engine, first.paymentId ?? "", { actor: "shopper" });
    remember();
    await world.clock.advance(limits.sharedReadingMs);
    expect(await startCheckout(world.engine, anOrder())).toEqual(first);
    await world.paymentIn("open");
  });

  it("an order is paid by a superseded page when its payment becomes readable later", async () => {
    const world = createSmallWorld();
    const first = await startCheckout(world.engine, anOrder());
    const remember = forget(world, "session-1");
    await confirmPayment(world.engine, first.paymentId ?? "", { actor: "shopper" });
    await startCheckout(world.engine, anOrder());
    remember();
    world.service.pay("session-1");
    await workUntil(world, 10);
    expect(world.store.paid.map(({ paymentId }) => paymentId)).toEqual([first.paymentId]);
  });

  it("an unreadable session is not read again after the grace period", async () => {
    const world = createSmallWorld();
    await startCheckout(world.engine, anOrder());
    forget(world, "session-1");
    await workUntil(world, 70);
    await world.clock.advance(limits.graceMs);
    await world.work();
    await world.paymentIn("closed");
  });
});

describe("a payment under review for which no money was read", () => {
  it("a payment under review without money leaves review when the service reports its session as unpaid", async () => {
    const world = createSmallWorld();
    const start = await startCheckout(world.engine, anOrder());
    const payment = await world.paymentIn("open");
    const finding = { code: "not_verifiable", expected: "status", found: "not in the service's answer" } as const;
    const next = { ...payment, state: "review", finding, version: payment.version + 1 } as const;
    await world.ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });
    expect(await startCheckout(world.engine, anOrder())).toMatchObject({ status: "held" });
    await confirmPayment(world.engine, start.paymentId ?? "", { actor: "timer" });
    expect(await startCheckout(world.engine, anOrder())).toMatchObject({ status: "redirect" });
  });
});

describe("a success event before the session shows the success", () => {
  it("a success event leads to further reads for some minutes, even after the session expired", async () => {
    const world = createSmallWorld();
    await startCheckout(world.engine, anOrder());
    await workUntil(world, 65);
    const session = world.service.sessions.get("session-1");
    if (session) session.lies = { status: "expired" };
    world.service.pay("session-1");
    await hear(world);
    expect(world.store.paid).toEqual([]);
    if (session) session.lies = {};
    await workUntil(world, 1);
    expect(world.store.paid).toHaveLength(1);
  });

  it("a success event for a session that was never paid costs a bounded number of reads", async () => {
    const world = createSmallWorld();
    await startCheckout(world.engine, anOrder());
    await workUntil(world, 65);
    const before = world.service.reads.length;
    await hear(world);
    await workUntil(world, 120);
    expect(world.service.reads.length - before).toBeLessThanOrEqual(limits.successReads + 1);
  });

  it("a success event leads to reads for hours while the service returns no session", async () => {
    const world = createSmallWorld();
    await startCheckout(world.engine, anOrder());
    await workUntil(world, 65);
    world.service.pay("session-1");
    const remember = forget(world, "session-1");
    await hear(world);
    await workUntil(world, 60);
    remember();
    await workUntil(world, 2);
    expect(world.store.paid).toHaveLength(1);
  });
});
