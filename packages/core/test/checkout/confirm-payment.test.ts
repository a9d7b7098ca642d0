import { describe, expect, it } from "vitest";
import {
  acceptReview,
  confirmPayment,
  limits,
  runDue,
  StoreError,
  startCheckout,
  verifyPayment,
} from "../../src/index.ts";
import { anOrder } from "../fixtures.ts";
import { createSmallWorld, type SmallWorld } from "./small-world.ts";

const BLIND = { kind: "read-then-write", settleAfterMs: 120_000 } as const;

async function paidSession(world: SmallWorld): Promise<string> {
  const { paymentId } = await startCheckout(world.engine, anOrder());
  world.service.pay("session-1");
  return paymentId ?? "";
}

describe("confirming a payment", () => {
  it("marks the order paid once, with a receipt that names everything", async () => {
    const world = createSmallWorld();
    const paymentId = await paidSession(world);
    const confirmed = await confirmPayment(world.engine, paymentId, { actor: "webhook" });
    expect(confirmed).toMatchObject({ status: "paid", retryAt: null, error: null });
    expect(world.store.paid).toEqual([
      {
        paymentId,
        ref: { storeId: "shop", orderId: "1042" },
        attempt: "",
        sessionId: "session-1",
        transactionId: "transaction-of-session-1",
        paid: { minor: 5000, currency: "XOF" },
        total: { minor: 5000, currency: "XOF" },
        environment: "test",
        fence: 1,
      },
    ]);
  });

  it("ten times at once, from two processes, marks it paid once", async () => {
    const world = createSmallWorld({ writes: BLIND });
    const paymentId = await paidSession(world);
    const engines = [world.engine, world.another("two")];
    const confirms = Array.from({ length: 10 }, (_, index) =>
      confirmPayment(engines[index % 2] ?? world.engine, paymentId, { actor: "webhook" }),
    );
    const standings = await Promise.all(confirms);
    expect(standings.some(({ status }) => status === "paid")).toBe(true);
    await world.clock.advance(limits.orderBusyMs);
    await world.work();
    expect(world.store.paid).toHaveLength(1);
  });

  it("asks nothing of the service once the order is marked", async () => {
    const world = createSmallWorld();
    const paymentId = await paidSession(world);
    await confirmPayment(world.engine, paymentId, { actor: "webhook" });
    const reads = world.service.reads.length;
    for (let time = 0; time < 10; time += 1) await confirmPayment(world.engine, paymentId, { actor: "webhook" });
    await world.clock.advance(100 * 3_600_000);
    await world.work();
    expect(world.service.reads).toHaveLength(reads);
  });

  it("waits while nothing was paid, and touches nothing", async () => {
    const world = createSmallWorld();
    const { paymentId } = await startCheckout(world.engine, anOrder());
    expect(await confirmPayment(world.engine, paymentId ?? "", { actor: "shopper" })).toMatchObject({
      status: "waiting",
    });
    expect(world.store.paid).toEqual([]);
    expect(await world.ledger.timeline({ paymentId: paymentId ?? "" })).toHaveLength(2);
  });

  it("tells nobody when only asked to verify, and makes sure the store hears of it all the same", async () => {
    const world = createSmallWorld();
    const paymentId = await paidSession(world);
    expect(await verifyPayment(world.engine, paymentId)).toMatchObject({ status: "paid" });
    expect(world.store.paid).toEqual([]);
    await world.clock.advance(limits.platformFinishesMs);
    await world.work();
    expect(world.store.paid).toHaveLength(1);
  });

  it("holds an order whose money differs, once, and says why", async () => {
    const world = createSmallWorld();
    const paymentId = await paidSession(world);
    const session = world.service.sessions.get("session-1");
    if (session) session.lies = { wireAmount: 50 };
    for (let time = 0; time < 3; time += 1) {
      expect(await confirmPayment(world.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "held" });
      await world.work();
    }
    expect(world.store.paid).toEqual([]);
    const amounts = { expected: { minor: 5000, currency: "XOF" }, found: { minor: 50, currency: "XOF" } };
    expect(world.store.holds).toEqual([{ code: "amount_differs", expected: "5000 XOF", found: "50 XOF", amounts }]);
  });

  it("takes a payment that could not be verified for a moment as soon as the service says everything", async () => {
    const world = createSmallWorld();
    const paymentId = await paidSession(world);
    const session = world.service.sessions.get("session-1");
    if (session) session.lies = { currency: undefined };
    expect(await confirmPayment(world.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "held" });
    if (session) session.lies = {};
    for (let minute = 0; minute < 10; minute += 1) {
      await world.clock.advance(60_000);
      await world.work();
    }
    expect(world.store.paid).toHaveLength(1);
  });

  it("of two paid sessions of one order marks one, and shows the other as a duplicate", async () => {
    const world = createSmallWorld();
    const first = await startCheckout(world.engine, anOrder());
    await world.clock.advance(55 * 60_000);
    const second = await startCheckout(world.engine, anOrder());
    world.service.pay("session-1");
    world.service.pay("session-2");
    const says = await Promise.all(
      [first, second].map(({ paymentId }) => verifyPayment(world.engine, paymentId ?? "")),
    );
    expect(says.map(({ status }) => status).sort()).toEqual(["duplicate", "paid"]);
    await world.clock.advance(limits.platformFinishesMs);
    await world.work();
    expect(world.store.paid).toHaveLength(1);
    const duplicate = await world.paymentIn("duplicate");
    expect(world.store.notes.get(`duplicate:${duplicate.id}`)).toContain("a second time");
  });

  it("accepts a late success after the session expired", async () => {
    const world = createSmallWorld();
    const { paymentId } = await startCheckout(world.engine, anOrder());
    await world.clock.advance(65 * 60_000);
    await world.work();
    await world.paymentIn("expired");
    world.service.pay("session-1");
    expect(await confirmPayment(world.engine, paymentId ?? "", { actor: "webhook" })).toMatchObject({ status: "paid" });
  });

  it("stops asking when grace is over, and still takes a payment that a webhook reports later", async () => {
    const world = createSmallWorld();
    await startCheckout(world.engine, anOrder());
    for (let hour = 0; hour < 80; hour += 1) {
      await world.clock.advance(3_600_000);
      await world.work();
    }
    const closed = await world.paymentIn("closed");
    expect(world.service.reads.length).toBeLessThanOrEqual(10);
    world.service.pay("session-1");
    expect(await confirmPayment(world.engine, closed.id, { actor: "webhook" })).toMatchObject({ status: "paid" });
  });

  it.each([
    ["gone", "order_gone"],
    ["not-payable", "order_not_payable"],
  ] as const)("puts a payment under review when the store answers %s", async (outcome, code) => {
    const world = createSmallWorld();
    const paymentId = await paidSession(world);
    world.store.next.push(async () => ({ outcome, detail: "cancelled a second ago" }));
    expect(await confirmPayment(world.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "held" });
    expect((await world.paymentIn("review")).finding).toMatchObject({ code });
  });

  it("does not tell a store that refuses over and over, and still looks at the scheduled times", async () => {
    const world = createSmallWorld();
    await paidSession(world);
    world.store.next.push(...Array(200).fill(async () => ({ outcome: "not-payable", detail: "the cart was changed" })));
    for (let minute = 0; minute < 60; minute += 1) {
      await world.clock.advance(60_000);
      await world.work();
    }
    expect((await world.paymentIn("review")).finding).toMatchObject({ code: "order_not_payable" });
    expect(200 - world.store.next.length).toBeLessThanOrEqual(7);
    expect(world.service.reads.length).toBeLessThanOrEqual(7);
    world.store.next.length = 0;
    await world.clock.advance(2 * 60_000);
    await world.work();
    expect(world.store.paid).toHaveLength(1);
  });

  it("calls it a duplicate when the store says that another payment was first", async () => {
    const world = createSmallWorld();
    const paymentId = await paidSession(world);
    world.store.next.push(async () => ({ outcome: "other-payment", detail: "cash" }));
    expect(await confirmPayment(world.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "duplicate" });
    await world.work();
    expect(world.store.notes.size).toBe(1);
  });

  it("notices an order that was edited into an amount nobody can take", async () => {
    const world = createSmallWorld();
    const paymentId = await paidSession(world);
    const store = await world.engine.store("shop");
    const engine = {
      ...world.engine,
      store: async () => ({
        ...store,
        findOrder: () => Promise.reject(Object.assign(new Error("5000.50 XOF"), { code: "amount_invalid" })),
      }),
    };
    expect(await confirmPayment(engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "held" });
    expect((await world.paymentIn("review")).finding).toMatchObject({ code: "total_changed" });
  });

  it("answers a clear error for a payment that does not exist", async () => {
    const { engine } = createSmallWorld();
    await expect(confirmPayment(engine, "nobody", { actor: "shopper" })).rejects.toMatchObject({
      code: "payment_not_found",
    });
  });
});

describe("a store that fails while it is told", () => {
  it("is told again when it certainly did not hear", async () => {
    const world = createSmallWorld({ writes: BLIND });
    const paymentId = await paidSession(world);
    world.store.next.push(() => Promise.reject(new StoreError("unavailable", "503")));
    const confirmed = await confirmPayment(world.engine, paymentId, { actor: "webhook" });
    expect(confirmed).toMatchObject({ status: "recording", error: "503" });
    await world.clock.advance(limits.confirmAgainMs);
    await world.work();
    expect(world.store.paid).toHaveLength(1);
  });

  it("is left alone until a lost write can no longer land, when it cannot refuse a second one", async () => {
    const world = createSmallWorld({ writes: BLIND });
    const paymentId = await paidSession(world);
    world.store.next.push(() => Promise.reject(new StoreError("unknown", "timed out")));
    await confirmPayment(world.engine, paymentId, { actor: "webhook" });
    for (let second = 0; second < 139; second += 1) {
      await world.clock.advance(1_000);
      await world.work();
      await confirmPayment(world.another("two"), paymentId, { actor: "shopper" });
      expect(world.store.paid).toEqual([]);
    }
    await world.clock.advance(60_000);
    await world.work();
    expect(world.store.paid).toHaveLength(1);
  });

  it("is not written twice when the lost write landed late", async () => {
    const world = createSmallWorld({ writes: BLIND });
    const paymentId = await paidSession(world);
    world.store.next.push(() => Promise.reject(new StoreError("unknown", "timed out")));
    await confirmPayment(world.engine, paymentId, { actor: "webhook" });
    await world.clock.advance(130_000);
    world.store.order = anOrder({ paidBy: paymentId, payable: false });
    await world.clock.advance(100_000);
    await world.work();
    expect(world.store.paid).toEqual([]);
    await world.paymentIn("recorded");
  });

  it("is not written by anybody after a crash in the middle of the write, until it has settled", async () => {
    const world = createSmallWorld({ writes: BLIND });
    const paymentId = await paidSession(world);
    world.store.next.push(() => new Promise(() => {}));
    // The process dies here: its call never ends, its lease runs out.
    void confirmPayment({ ...world.engine, clock: { ...world.clock, sleep: () => new Promise(() => {}) } }, paymentId, {
      actor: "webhook",
    });
    await world.clock.advance(limits.orderLeaseMs);
    const survivor = world.another("two");
    expect(await confirmPayment(survivor, paymentId, { actor: "timer" })).toMatchObject({ status: "recording" });
    expect(world.store.paid).toEqual([]);
    await world.clock.advance(limits.storeCallMs + BLIND.settleAfterMs - limits.orderLeaseMs);
    // The clock of the process that died may have been behind ours.
    expect(await confirmPayment(survivor, paymentId, { actor: "timer" })).toMatchObject({ status: "recording" });
    await world.clock.advance(limits.clockSkewMs);
    expect(await confirmPayment(survivor, paymentId, { actor: "timer" })).toMatchObject({ status: "paid" });
    expect(world.store.paid).toHaveLength(1);
  });

  it("does not hang a confirm: a call without an answer counts as unknown", async () => {
    const world = createSmallWorld();
    const paymentId = await paidSession(world);
    world.store.next.push(() => new Promise(() => {}));
    const confirming = confirmPayment(world.engine, paymentId, { actor: "webhook" });
    await world.clock.advance(limits.storeCallMs);
    expect(await confirming).toMatchObject({
      status: "recording",
      error: "The store did not respond within 20 seconds.",
    });
    await world.clock.advance(limits.confirmAgainMs);
    await world.work();
    expect(world.store.paid).toHaveLength(1);
  });

  it("is not asked again and again when its owner has to reconnect it: the work is parked, with the reason", async () => {
    const world = createSmallWorld();
    const paymentId = await paidSession(world);
    const refuse = () => Promise.reject(new StoreError("reconnect", "401"));
    world.store.next.push(...Array<typeof refuse>(99).fill(refuse));
    const confirmed = await confirmPayment(world.engine, paymentId, { actor: "webhook" });
    expect(confirmed).toMatchObject({ status: "recording", retryAt: null, error: "401" });
    for (let minute = 0; minute < 60; minute += 1) {
      await world.clock.advance(60_000);
      await world.work();
    }
    const { rows } = await world.ledger.listJobs({ dead: true, limit: 9 });
    // What was left for the case that we died, and the next scheduled read.
    expect(rows).toHaveLength(2);
    for (const { kind, error } of rows) expect([kind, error]).toEqual(["confirm", expect.stringMatching(/401/)]);
    expect(99 - world.store.next.length).toBe(1 + rows.length);
  });

  it("keeps its answer even when somebody else changed the payment meanwhile", async () => {
    const world = createSmallWorld();
    const paymentId = await paidSession(world);
    world.store.next.push(async () => {
      const payment = await world.ledger.find({ id: paymentId });
      if (!payment) throw new Error("lost");
      const next = { ...payment, version: payment.version + 1 };
      await world.ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });
      return "go on";
    });
    expect(await confirmPayment(world.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "paid" });
    await world.paymentIn("recorded");
  });

  it("is told by one writer only: who lost the lease during the write does not record", async () => {
    const world = createSmallWorld();
    const paymentId = await paidSession(world);
    world.store.next.push(async () => {
      await world.clock.advance(0);
      const ref = { storeId: "shop", orderId: "1042" };
      await world.ledger.lockOrder(ref, "thief", world.clock.now() + limits.orderLeaseMs, limits.orderLeaseMs);
      return "go on";
    });
    const confirmed = await confirmPayment(world.engine, paymentId, { actor: "webhook" });
    expect(confirmed).toMatchObject({ status: "recording" });
    expect(confirmed.retryAt).not.toBeNull();
  });

  it("holds a payment whose order its owner set to paid in the very moment, and refunds nothing by rule", async () => {
    const world = createSmallWorld({ autoRefund: ["duplicate", "order_not_payable"] });
    const paymentId = await paidSession(world);
    world.store.next.push(async () => {
      world.store.order = anOrder({ paidBy: "owner", payable: false });
      return "go on";
    });
    expect(await confirmPayment(world.engine, paymentId, { actor: "webhook" })).toMatchObject({
      status: "held",
      payment: { finding: { code: "paid_outside" } },
    });
    await world.work();
    expect(world.service.refunds).toEqual([]);
    await acceptReview(world.engine, { paymentId, by: "awa" });
    expect(world.store.named).toEqual([paymentId]);
    await world.paymentIn("recorded");
  });

  it("counts a held payment as accepted when its owner sets the order to paid, and names it there", async () => {
    const world = createSmallWorld({ autoRefund: ["duplicate"] });
    const paymentId = await paidSession(world);
    const session = world.service.sessions.get("session-1");
    if (session) session.lies = { wireAmount: 4900 };
    expect(await confirmPayment(world.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "held" });
    world.store.order = anOrder({ paidBy: "owner", payable: false, setPaid: { by: "awa", at: 7 } });
    expect(await confirmPayment(world.engine, paymentId, { actor: "timer" })).toMatchObject({ status: "paid" });
    await world.work();
    expect([world.store.paid, world.store.named, world.service.refunds]).toEqual([[], [paymentId], []]);
    expect(await world.paymentIn("recorded")).toMatchObject({ waiver: { by: "awa", at: 7 } });
  });

  it("is not refunded by rule when the owner sets the order to paid before the rule is at work", async () => {
    const world = createSmallWorld({ autoRefund: ["order_not_payable"] });
    const paymentId = await paidSession(world);
    world.store.order = anOrder({ payable: false });
    expect(await confirmPayment(world.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "held" });
    world.store.order = anOrder({ paidBy: "owner", payable: false, setPaid: { by: "awa", at: 7 } });
    await world.work();
    expect(world.service.refunds).toEqual([]);
    expect(world.store.named).toEqual([paymentId]);
    await world.paymentIn("recorded");
  });

  it("is not refunded by rule when the owner sets the order to paid while the refund is prepared", async () => {
    const world = createSmallWorld({ autoRefund: ["order_not_payable"] });
    const paymentId = await paidSession(world);
    world.store.order = anOrder({ payable: false });
    await confirmPayment(world.engine, paymentId, { actor: "webhook" });
    // The order still shows nothing when the rule looks at it first, and is paid a moment later.
    const reads = [
      anOrder({ payable: false }),
      anOrder({ paidBy: "owner", payable: false, setPaid: { by: "awa", at: 7 } }),
    ];
    const store = { ...(await world.engine.store("shop")), findOrder: async () => reads.shift() ?? world.store.order };
    world.store.order = reads[1] ?? null;
    await runDue({ ...world.engine, store: async () => store });
    await world.clock.advance(limits.retryLongestMs);
    await world.work();
    expect(world.service.refunds).toEqual([]);
    await world.paymentIn("recorded");
  });

  it("waits with a refusal while an earlier write whose answer was lost may still land", async () => {
    const world = createSmallWorld({ autoRefund: ["order_not_payable"] });
    const paymentId = await paidSession(world);
    world.store.next.push(async () => {
      throw new Error("the connection broke");
    });
    expect(await confirmPayment(world.engine, paymentId, { actor: "webhook" })).toMatchObject({
      error: expect.anything(),
    });
    world.store.next.push(async () => ({ outcome: "not-payable", detail: "the cart was changed" }));
    const refused = await confirmPayment(world.engine, paymentId, { actor: "timer" });
    expect(refused).toMatchObject({ status: "recording", retryAt: expect.any(Number) });
    await world.clock.advance(limits.lateWriteMs);
    // The lost write has landed by now, so the store answers that the order shows this payment.
    await world.work();
    expect(world.service.refunds).toEqual([]);
    await world.paymentIn("recorded");
  });

  it("is refunded once by rule when the store refuses it, though the order itself stays open for another try", async () => {
    const world = createSmallWorld({ autoRefund: ["order_not_payable"] });
    const paymentId = await paidSession(world);
    world.store.next.push(async () => ({ outcome: "not-payable", detail: "the cart was changed" }));
    expect(await confirmPayment(world.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "held" });
    await world.work();
    expect(world.service.refunds).toHaveLength(1);
    await world.paymentIn("refunded");
  });
});
