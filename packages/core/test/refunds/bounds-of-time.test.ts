import { expect, it } from "vitest";
import { CheckoutError, confirmPayment, limits, refundPayment, startCheckout, syncRefunds } from "../../src/index.ts";
import { resumeRefund } from "../../src/refunds/refund-payment.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { fixtureWithPaidOrder, francs, refund, withService } from "./refund-steps.ts";

const HOUR = 3_600_000;

/** The engine of a machine whose clock is 80 hours ahead. */
function engineAhead({ engine, clock }: EngineFixture) {
  return { ...engine, clock: { ...clock, now: () => clock.now() + 80 * HOUR } };
}

async function stateOf({ ledger }: EngineFixture, paymentId: string) {
  return (await ledger.refunds(paymentId)).map(({ state }) => state);
}

it("a process that slept after it had read a refund as pending does not put its result back", async () => {
  const { fixture, paymentId } = await fixtureWithPaidOrder();
  fixture.service.slowRefunds = true;
  await refund(fixture, paymentId, 5000, "click-1");
  const sleeping = withService(fixture.engine, (service) => ({
    readRefunds: async (...query) => {
      const read = structuredClone(await service.readRefunds(...query));
      for (const made of fixture.service.refunds) made.status = "completed";
      await syncRefunds(fixture.engine, paymentId);
      return read;
    },
  }));
  await syncRefunds(sleeping, paymentId);
  expect(await stateOf(fixture, paymentId)).toEqual(["completed"]);
});

it("the refunds of a payment are listed from before now, although a clock ahead had created it 80 hours later", async () => {
  const fixture = createEngineFixture();
  const start = await startCheckout(engineAhead(fixture), anOrder());
  fixture.service.pay("session-1");
  const asked: number[] = [];
  const engine = withService(fixture.engine, (service) => ({
    readRefunds: async (payment, query) => {
      asked.push(query.since);
      return await service.readRefunds(payment, query);
    },
  }));
  await syncRefunds(engine, start.paymentId ?? "");
  expect(asked).toHaveLength(1);
  expect(asked[0]).toBeLessThanOrEqual(fixture.clock.now() - limits.serviceClockSkewMs);
});

it("a refund whose request a clock 80 hours ahead has dated is given up when its key is too old, and no later", async () => {
  const { fixture, paymentId } = await fixtureWithPaidOrder();
  fixture.service.fail = "posts-down";
  await refundPayment(engineAhead(fixture), { paymentId, key: "click-1", amount: francs(1000), origin: "store" });
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    await fixture.clock.advance(60_000);
    await fixture.work();
  }
  expect(await stateOf(fixture, paymentId)).toEqual(["failed"]);
});

/** The service makes the refund, dates it by its own clock, drops its mark, and its answer is lost. */
function losingAnswers(engine: EngineFixture["engine"], fixture: EngineFixture) {
  return withService(engine, (service) => ({
    refund: async (input) => {
      await service.refund(input);
      for (const made of fixture.service.refunds)
        Object.assign(made, { createdAt: fixture.clock.now(), reason: "Other" });
      throw new CheckoutError("service_unavailable", "No answer.", { retryable: true });
    },
    readRefunds: async (payment, query) => {
      const list = await service.readRefunds(payment, query);
      return { ...list, refunds: list.refunds.filter(({ createdAt = 0 }) => createdAt >= query.since) };
    },
  }));
}

it("a refund whose answer was lost is found in the list while the clock that created its payment is 80 hours ahead", async () => {
  const fixture = createEngineFixture();
  const ahead = engineAhead(fixture);
  const paymentId = (await startCheckout(ahead, anOrder())).paymentId ?? "";
  fixture.service.pay("session-1");
  await confirmPayment(ahead, paymentId, { actor: "webhook" });
  const engine = losingAnswers(ahead, fixture);
  const click = { paymentId, key: "click-1", amount: francs(1000), origin: "store" } as const;
  await refundPayment(engine, click);
  await syncRefunds(engine, paymentId);
  expect(await stateOf(fixture, paymentId)).toEqual(["unknown"]);
  await fixture.clock.advance(limits.keyLifeMs);
  await refundPayment(engine, click);
  expect(await stateOf(fixture, paymentId)).toEqual(["completed"]);
});

it("a refund that a clock 80 hours ahead has dated is no refund of the dashboard, and is found once the clock is right", async () => {
  const { fixture, paymentId } = await fixtureWithPaidOrder();
  const ahead = losingAnswers(engineAhead(fixture), fixture);
  const click = { paymentId, key: "click-1", amount: francs(1000), origin: "store" } as const;
  await refundPayment(ahead, click);
  await syncRefunds(ahead, paymentId);
  await fixture.clock.advance(limits.keyLifeMs);
  await resumeRefund(ahead, paymentId, "click-1");
  expect(await stateOf(fixture, paymentId)).toEqual(["unknown"]);
  await resumeRefund(losingAnswers(fixture.engine, fixture), paymentId, "click-1");
  expect(await stateOf(fixture, paymentId)).toEqual(["completed"]);
});

it("a session and a refund name the moment after which the service may have forgotten their keys", async () => {
  const fixture = createEngineFixture();
  const sentBy: (number | undefined)[] = [];
  const engine = withService(fixture.engine, (service) => ({
    openSession: async (input) => {
      sentBy.push(input.sendBy);
      return await service.openSession(input);
    },
    refund: async (input) => {
      sentBy.push(input.sendBy);
      return await service.refund(input);
    },
  }));
  const start = await startCheckout(engine, anOrder());
  fixture.service.pay("session-1");
  await fixture.clock.advance(HOUR / 2);
  await fixture.work();
  await refundPayment(engine, {
    paymentId: start.paymentId ?? "",
    key: "click-1",
    amount: francs(1000),
    origin: "store",
  });
  const startedAt = fixture.clock.now() - HOUR / 2;
  expect(sentBy).toEqual([startedAt + limits.keyLifeMs, fixture.clock.now() + limits.refundSendMs]);
});

it.each([
  ["is found by its mark", "pending", false],
  ["stays in doubt while the list skips that row", "unknown", true],
])(
  "a refund that a clock 80 hours ahead has dated after its row %s, and never counts as failed",
  async (_what, state, isSkipped) => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const { clock, service: faults } = fixture;
    const engine = withService(engineAhead(fixture), (service) => ({
      readRefunds: async (payment, query) => {
        const list = await service.readRefunds(payment, query);
        const refunds = list.refunds.filter(({ createdAt = 0 }) => createdAt >= query.since);
        return isSkipped ? { ...list, refunds: [], isComplete: refunds.length === 0 } : { ...list, refunds };
      },
    }));
    faults.slowRefunds = true;
    faults.lostResponses = 1;
    const click = { paymentId, key: "click-1", amount: francs(1000), origin: "store" } as const;
    await refundPayment(engine, click);
    faults.refuseRefunds = true;
    for (let minutes = 0; minutes < 30; minutes += 1) {
      await clock.advance(60_000);
      await resumeRefund(engine, paymentId, "click-1");
    }
    expect(await stateOf(fixture, paymentId)).toEqual([state]);
  },
);

it("a refund whose process slept before its request is not sent after another process has settled it as never made", async () => {
  const { fixture, paymentId } = await fixtureWithPaidOrder();
  const { engine, clock, service: faults } = fixture;
  const click = { paymentId, key: "click-1", amount: francs(1000), origin: "store" } as const;
  const sleeping = withService(engine, (service) => ({
    refund: async (input) => {
      faults.refuseRefunds = true;
      await refundPayment(engine, click);
      await clock.advance(HOUR);
      await fixture.work();
      expect(await stateOf(fixture, paymentId)).toEqual(["failed"]);
      faults.refuseRefunds = false;
      if (clock.now() > input.sendBy) throw new CheckoutError("service_unavailable", "This was not sent in time.");
      return await service.refund(input);
    },
  }));
  expect(await refundPayment(sleeping, click)).toMatchObject({ state: "failed" });
  expect(faults.refunds).toEqual([]);
});

it("a refund that is sent again shortly before its key ends is not sent after it", async () => {
  const { fixture, paymentId } = await fixtureWithPaidOrder();
  const sentBy: number[] = [];
  const engine = withService(fixture.engine, () => ({
    refund: async (input) => {
      sentBy.push(input.sendBy);
      throw new CheckoutError("service_unavailable", "No answer.");
    },
  }));
  const click = { paymentId, key: "click-1", amount: francs(1000), origin: "store" } as const;
  const requestedAt = fixture.clock.now();
  await refundPayment(engine, click);
  await fixture.clock.advance(limits.keyLifeMs - 60_000);
  await refundPayment(engine, click);
  expect(sentBy).toEqual([requestedAt + limits.refundSendMs, requestedAt + limits.keyLifeMs]);
});

it("a key that a clock ahead has dated in the future is sent no more once the clock is right", async () => {
  const { fixture, paymentId } = await fixtureWithPaidOrder();
  let aheadMs = 80 * HOUR;
  const { clock } = fixture;
  const sentBy: number[] = [];
  const engine = withService(
    // The clock is set back right after the refund was stored.
    { ...fixture.engine, clock: { ...clock, now: () => clock.now() + aheadMs } },
    (service) => ({
      refund: async (input) => {
        sentBy.push(input.sendBy);
        return await service.refund(input);
      },
    }),
  );
  const tenants = {
    ...engine.tenants,
    service: async (credentialId: string) => {
      const [refund] = await fixture.ledger.refunds(paymentId);
      if (refund) aheadMs = 0;
      return await engine.tenants.service(credentialId);
    },
  };
  const click = { paymentId, key: "click-1", amount: francs(1000), origin: "store" } as const;
  await refundPayment({ ...engine, tenants }, click);
  expect(sentBy).toEqual([Number.NEGATIVE_INFINITY]);
});
