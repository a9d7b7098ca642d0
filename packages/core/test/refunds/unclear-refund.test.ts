import { describe, expect, it } from "vitest";
import { limits, refundPayment, syncRefunds } from "../../src/index.ts";
import type { EngineFixture } from "../fixture/engine-fixture.ts";
import { HOUR, passMinutes, passTime } from "../fixture/steps.ts";
import {
  addDashboardRefund,
  fixtureWithPaidOrder,
  francs,
  refund,
  refundedTotal,
  withService,
} from "./refund-steps.ts";

/** A refund of 2,000 was made, its response was lost, and the service refuses to repeat it. */
async function fixtureWithLostRefund(): Promise<{ fixture: EngineFixture; paymentId: string }> {
  const { fixture, paymentId } = await fixtureWithPaidOrder();
  fixture.service.lostResponses = 1;
  expect(await refund(fixture, paymentId, 2000, "click-1")).toMatchObject({ state: "unknown" });
  fixture.service.refuseRefunds = true;
  return { fixture, paymentId };
}

/** The engine with a service whose transaction does not show refunds yet. */
const withOldTransaction = ({ engine }: EngineFixture) =>
  withService(engine, (service) => ({
    async readTransaction(query) {
      const transaction = await service.readTransaction(query);
      return transaction && { ...transaction, refundedAmount: 0 };
    },
  }));

const statesOf = async ({ ledger }: EngineFixture, paymentId: string) =>
  (await ledger.refunds(paymentId)).map(({ key, state }) => `${key} ${state}`);

describe("a refund whose response was lost, and which the service lists late, unreadably or not at all", () => {
  it.each<[string, (fixture: EngineFixture) => void]>([
    ["the list skips it", ({ service }) => service.unlisted.add("refund-1")],
    [
      "neither its amount nor its mark can be read",
      ({ service }) => Object.assign(service.refunds[0] ?? {}, { wireAmount: undefined, reason: "" }),
    ],
  ])("a refund that was made never counts as failed while %s", async (_what, hide) => {
    const { fixture, paymentId } = await fixtureWithLostRefund();
    hide(fixture);
    await passTime(fixture, { ms: 3 * HOUR, stepMs: 10 * 60_000 });
    expect(await statesOf(fixture, paymentId)).toEqual(["click-1 unknown"]);
    fixture.service.refuseRefunds = false;
    await expect(refund(fixture, paymentId, 2000, "click-2")).rejects.toMatchObject({ code: "refund_in_doubt" });
    expect(refundedTotal(fixture)).toBeLessThanOrEqual(2000);
    expect(fixture.service.refunds).toHaveLength(1);
  });

  it("a pending refund never counts as failed while rows of the service's list cannot be read", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.slowRefunds = true;
    fixture.service.lostResponses = 1;
    await refund(fixture, paymentId, 2000, "click-1");
    fixture.service.refuseRefunds = true;
    fixture.service.unlisted.add("refund-1");
    fixture.service.isListComplete = false;
    await passTime(fixture, { ms: 3 * HOUR, stepMs: 10 * 60_000 });
    expect(await statesOf(fixture, paymentId)).toEqual(["click-1 unknown"]);
    fixture.service.unlisted.clear();
    await passMinutes(fixture, 15);
    expect(await statesOf(fixture, paymentId)).toEqual(["click-1 pending"]);
  });

  it("a refund that was just made does not count as failed while the service still answers as before the refund", async () => {
    const { fixture, paymentId } = await fixtureWithLostRefund();
    fixture.service.unlisted.add("refund-1");
    const engine = withOldTransaction(fixture);
    const click = { paymentId, key: "click-1", amount: francs(2000), origin: "store" } as const;
    expect(await refundPayment(engine, click)).toMatchObject({ state: "unknown" });
    fixture.service.unlisted.clear();
    expect(await refundPayment(engine, click)).toMatchObject({ state: "completed" });
  });

  it("an old dashboard refund that was never read does not keep a refund that was never made in doubt", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    addDashboardRefund(fixture, 1500, fixture.clock.now());
    const engine = withService(fixture.engine, (service) => ({
      readRefunds: async (payment, query) => {
        const { refunds, ...list } = await service.readRefunds(payment, query);
        return { ...list, refunds: refunds.filter(({ createdAt = 0 }) => createdAt >= query.since) };
      },
    }));
    await fixture.clock.advance(72 * HOUR);
    fixture.service.fail = "posts-down";
    const click = { paymentId, key: "click-1", amount: francs(2000), origin: "store" } as const;
    await refundPayment(engine, click);
    fixture.service.fail = null;
    fixture.service.refuseRefunds = true;
    for (let read = 0; read < 3; read += 1) {
      await refundPayment(engine, click);
      await fixture.clock.advance(limits.refundSettlesMs);
    }
    expect(await statesOf(fixture, paymentId)).toEqual(["service:refund-9 completed", "click-1 failed"]);
  });

  it("a refund that was asked of a declined transaction fails, although the paying transaction was refunded meanwhile", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const payment = await fixture.expectPaymentIn("recorded");
    const paying = payment.transactionId ?? "";
    const [declined, now] = ["declined", fixture.clock.now()];
    const names = { paymentId, origin: "store", amount: francs(2000), request: "{}", transactionId: declined } as const;
    const lost = {
      ...names,
      refundId: null,
      requestedAt: now,
      readOnlySince: now,
      otherKeys: [],
      mark: null,
      markReadAt: null,
      unmarkedKey: null,
    };
    await fixture.ledger.commit({ refunds: [{ ...lost, key: "click-1", state: "unknown" }], timeline: [] });
    const row = { key: "k", id: "refund-9", status: "completed", wireAmount: 1500, createdAt: now } as const;
    fixture.service.refunds.push({ ...row, transactionId: paying });
    const engine = withService(fixture.engine, (service) => ({
      readTransaction: async (query) =>
        query.id === declined
          ? { id: declined, status: "failed", refundedAmount: 0 }
          : await service.readTransaction(query),
    }));
    const made = {
      ...lost,
      key: "service:refund-9",
      origin: "service",
      amount: francs(1500),
      refundId: "refund-9",
    } as const;
    await fixture.ledger.commit({ refunds: [{ ...made, transactionId: paying, state: "completed" }], timeline: [] });
    await fixture.clock.advance(limits.refundSettlesMs);
    const click = { paymentId, key: "click-1", amount: francs(2000), origin: "store" } as const;
    expect(await refundPayment(engine, click)).toMatchObject({ state: "failed" });
  });

  it("a refund whose mark the service drops is recognized although the host's clock is an hour ahead of the service's", async () => {
    const { fixture, paymentId } = await fixtureWithLostRefund();
    const [made] = fixture.service.refunds;
    if (made) Object.assign(made, { createdAt: fixture.clock.now() - HOUR, reason: "" });
    await passMinutes(fixture, 15);
    expect(await statesOf(fixture, paymentId)).toEqual(["click-1 completed"]);
  });

  it("a refund that stays in doubt is a failing job that operators see, and is read a few times an hour", async () => {
    const { fixture, paymentId } = await fixtureWithLostRefund();
    fixture.service.unlisted.add("refund-1");
    await passMinutes(fixture, 60);
    const readsBefore = fixture.service.refundReads;
    await passMinutes(fixture, 60);
    expect(fixture.service.refundReads - readsBefore).toBeLessThan(15);
    const { rows } = await fixture.ledger.listJobs({ dead: false, minAttempts: 10, limit: 10 });
    expect(rows).toMatchObject([{ kind: "refund", paymentId, error: { code: "unknown" } }]);
  });
});

describe("a refund that is sent again", () => {
  it("a refund is not sent again after the service forgot its idempotency key, even if the service still answers as before the refund", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.lostResponses = 1;
    await refund(fixture, paymentId, 2000, "click-1");
    fixture.service.fail = "down";
    await passTime(fixture, { ms: 25 * HOUR, stepMs: HOUR });
    fixture.service.fail = null;
    fixture.service.unlisted.add("refund-1");
    const click = { paymentId, key: "click-1", amount: francs(2000), origin: "store" } as const;
    await refundPayment(withOldTransaction(fixture), click);
    expect(fixture.service.refunds).toHaveLength(1);
  });

  it("a refund requested while the host's clock was two hours ahead is made once, although the process was down until the service had forgotten its idempotency key", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const { clock } = fixture;
    const engineAhead = { ...fixture.engine, clock: { ...clock, now: () => clock.now() + 2 * HOUR } };
    fixture.service.lostResponses = 1;
    await refundPayment(engineAhead, { paymentId, key: "click-1", amount: francs(1000), origin: "store" });
    await clock.advance(24.2 * HOUR);
    await passMinutes(fixture, 30);
    expect(refundedTotal(fixture)).toBe(1000);
    expect(await statesOf(fixture, paymentId)).toEqual(["click-1 completed"]);
  });
});

describe("answers to a refund that differ from the request", () => {
  it("an answer that names an earlier refund is no answer, and the refund is found in the list", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await refund(fixture, paymentId, 2000, "click-1");
    const engine = withService(fixture.engine, (service) => ({
      refund: async (request) => ({ ...(await service.refund(request)), id: "refund-1" }),
    }));
    const second = { paymentId, key: "click-2", amount: francs(1500), origin: "store" } as const;
    expect(await refundPayment(engine, second)).toMatchObject({ state: "completed", refundId: "refund-2" });
    expect(await refund(fixture, paymentId, 1500, "click-3")).toMatchObject({ state: "completed" });
    await fixture.expectPaymentIn("refunded");
    expect(refundedTotal(fixture)).toBe(5000);
  });

  it("when the service refunds less than was requested, the amount that went back is recorded and a repeated click refunds nothing more", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const engine = withService(fixture.engine, (service) => ({
      refund: async ({ request, ...input }) =>
        await service.refund({ ...input, request: request.replace('"amount":1000', '"amount":900') }),
    }));
    const click = { paymentId, key: "click-1", amount: francs(1000), origin: "tillkit" } as const;
    expect(await refundPayment(engine, click)).toMatchObject({ state: "completed", amount: francs(900) });
    await passMinutes(fixture, 1);
    expect(fixture.store.refunds).toEqual(["refund-1 900 completed"]);
    expect(await refundPayment(engine, click)).toMatchObject({ key: "click-1", refundId: "refund-1" });
    expect(refundedTotal(fixture)).toBe(900);
  });

  it("a service refund whose amount cannot be read is not recorded as a refund of nothing", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.refunds.push({ key: "dashboard", id: "refund-9", status: "completed", wireAmount: undefined });
    expect(await syncRefunds(fixture.engine, paymentId)).toEqual([]);
    Object.assign(fixture.service.refunds[0] ?? {}, { wireAmount: 1500 });
    expect(await syncRefunds(fixture.engine, paymentId)).toMatchObject([{ amount: francs(1500) }]);
  });
});

describe("several refunds of a held payment", () => {
  it("a payment in review that is being refunded stays refunding while one of its refunds is pending, although another one failed", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const payment = await fixture.expectPaymentIn("recorded");
    const next = { ...payment, state: "review", version: payment.version + 1 } as const;
    await fixture.ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });
    const dashboard = { key: "dashboard", id: "refund-9", status: "pending" as const, wireAmount: 2000 };
    fixture.service.refunds.push({ ...dashboard, createdAt: fixture.clock.now() });
    fixture.service.slowRefunds = true;
    expect(await refund(fixture, paymentId, 3000, "click-1")).toMatchObject({ state: "pending" });
    for (const made of fixture.service.refunds) if (made.id === "refund-9") made.status = "failed";
    await syncRefunds(fixture.engine, paymentId);
    expect((await fixture.ledger.find({ id: paymentId }))?.state).toBe("refunding");
    for (const made of fixture.service.refunds) if (made.id !== "refund-9") made.status = "completed";
    await syncRefunds(fixture.engine, paymentId);
    expect((await fixture.expectPaymentIn("review")).finding).toMatchObject({ code: "refund_failed" });
  });
});
