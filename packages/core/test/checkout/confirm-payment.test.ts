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

describe("confirmPayment", () => {
  it("a confirmed payment marks its order paid once, with a complete receipt", async () => {
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

  it("ten simultaneous confirms from two processes mark the order paid once", async () => {
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

  it("a confirm of a recorded payment makes no call to the service", async () => {
    const world = createSmallWorld();
    const paymentId = await paidSession(world);
    await confirmPayment(world.engine, paymentId, { actor: "webhook" });
    const reads = world.service.reads.length;
    for (let time = 0; time < 10; time += 1) await confirmPayment(world.engine, paymentId, { actor: "webhook" });
    await world.clock.advance(100 * 3_600_000);
    await world.work();
    expect(world.service.reads).toHaveLength(reads);
  });

  it("a confirm of an unpaid session leaves the order unchanged", async () => {
    const world = createSmallWorld();
    const { paymentId } = await startCheckout(world.engine, anOrder());
    expect(await confirmPayment(world.engine, paymentId ?? "", { actor: "shopper" })).toMatchObject({
      status: "waiting",
    });
    expect(world.store.paid).toEqual([]);
    expect(await world.ledger.timeline({ paymentId: paymentId ?? "" })).toHaveLength(2);
  });

  it("verifyPayment writes to no store, and a job marks the order paid later", async () => {
    const world = createSmallWorld();
    const paymentId = await paidSession(world);
    expect(await verifyPayment(world.engine, paymentId)).toMatchObject({ status: "paid" });
    expect(world.store.paid).toEqual([]);
    await world.clock.advance(limits.platformFinishesMs);
    await world.work();
    expect(world.store.paid).toHaveLength(1);
  });

  it("an order is held once, with the reason, when the amount paid differs", async () => {
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

  it("a payment that was not verifiable is confirmed once the service returns all fields", async () => {
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

  it("of two paid sessions of one order one marks it paid and the other becomes a duplicate", async () => {
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

  it("a payment that succeeds after its session expired is confirmed", async () => {
    const world = createSmallWorld();
    const { paymentId } = await startCheckout(world.engine, anOrder());
    await world.clock.advance(65 * 60_000);
    await world.work();
    await world.paymentIn("expired");
    world.service.pay("session-1");
    expect(await confirmPayment(world.engine, paymentId ?? "", { actor: "webhook" })).toMatchObject({ status: "paid" });
  });

  it("scheduled reads end with the grace period, and a later webhook still confirms the payment", async () => {
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
  ] as const)("a payment goes under review when its store answers %s", async (outcome, code) => {
    const world = createSmallWorld();
    const paymentId = await paidSession(world);
    world.store.next.push(async () => ({ outcome, detail: "cancelled a second ago" }));
    expect(await confirmPayment(world.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "held" });
    expect((await world.paymentIn("review")).finding).toMatchObject({ code });
  });

  it("a store that refused a payment is not written again before the next scheduled read", async () => {
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

  it("a payment becomes a duplicate when the store reports another payment", async () => {
    const world = createSmallWorld();
    const paymentId = await paidSession(world);
    world.store.next.push(async () => ({ outcome: "other-payment", detail: "cash" }));
    expect(await confirmPayment(world.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "duplicate" });
    await world.work();
    expect(world.store.notes.size).toBe(1);
  });

  it("an order that was edited to an unsupported amount is held", async () => {
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

  it("a confirm of an unknown payment throws payment_not_found", async () => {
    const { engine } = createSmallWorld();
    await expect(confirmPayment(engine, "nobody", { actor: "shopper" })).rejects.toMatchObject({
      code: "payment_not_found",
    });
  });
});

describe("writing a paid order to a store that fails", () => {
  it("a store write that certainly failed is repeated", async () => {
    const world = createSmallWorld({ writes: BLIND });
    const paymentId = await paidSession(world);
    world.store.next.push(() => Promise.reject(new StoreError("unavailable", "503")));
    const confirmed = await confirmPayment(world.engine, paymentId, { actor: "webhook" });
    expect(confirmed).toMatchObject({ status: "recording", error: "503" });
    await world.clock.advance(limits.confirmAgainMs);
    await world.work();
    expect(world.store.paid).toHaveLength(1);
  });

  it("a read-then-write store is not written while a lost write may still take effect", async () => {
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

  it("a store is not written twice when the lost write took effect late", async () => {
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

  it("no process writes to a store after a crash during a write until the write has settled", async () => {
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

  it("a store call without a response fails a confirm as unknown after the deadline", async () => {
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

  it("a store that needs a new connection makes its job a dead-letter job with the reason", async () => {
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

  it("a store's answer is recorded even if another process changed the payment", async () => {
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

  it("a writer that lost the lease during the write does not record the answer", async () => {
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

  it("a payment is held and not refunded automatically when the merchant marks its order as paid during the write", async () => {
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

  it("a held payment counts as accepted when the merchant marks its order as paid, and the order names it", async () => {
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

  it("a payment is not refunded automatically when the merchant marks its order as paid before the job runs", async () => {
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

  it("a payment is not refunded automatically when the merchant marks its order as paid while the refund is prepared", async () => {
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

  it("a store's refusal is not final while an earlier write without a response may still take effect", async () => {
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

  it("a payment that its store refused is refunded automatically once, although the order stays payable", async () => {
    const world = createSmallWorld({ autoRefund: ["order_not_payable"] });
    const paymentId = await paidSession(world);
    world.store.next.push(async () => ({ outcome: "not-payable", detail: "the cart was changed" }));
    expect(await confirmPayment(world.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "held" });
    await world.work();
    expect(world.service.refunds).toHaveLength(1);
    await world.paymentIn("refunded");
  });
});
