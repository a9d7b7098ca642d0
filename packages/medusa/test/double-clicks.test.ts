import { limits } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FakePayment } from "./fake-medusa/tables.ts";
import { type Fixture, openFixture } from "./fixture.ts";

const SECOND = 1_000;

let fixture: Fixture;
/** Moves the engine's clock, which stands still otherwise. */
let advance: (milliseconds: number) => void;
beforeEach(async () => {
  fixture = await openFixture();
  const { engine } = await fixture.runtime();
  let now = engine.clock.now();
  advance = (milliseconds) => {
    now += milliseconds;
  };
  // A wait moves the clock, so the tests do not wait.
  Object.assign(engine, { clock: { ...engine.clock, now: () => now, sleep: async (ms: number) => advance(ms) } });
});
afterEach(() => fixture.close());

/** From now on a refund at the service takes this long on the engine's clock. `meanwhile` runs before the service makes the first one. */
async function slowDownRefunds(milliseconds: number, meanwhile: () => unknown = () => {}): Promise<void> {
  const { tenants } = (await fixture.runtime()).engine;
  const { service } = tenants;
  let isFirst = true;
  tenants.service = async (id) => ({
    ...(await service(id)),
    async refund(request) {
      if (isFirst) meanwhile();
      isFirst = false;
      advance(milliseconds);
      return await (await service(id)).refund(request);
    },
  });
}

/** The second click comes while the service makes the refund of the first. Returns how the second click ended. */
async function clickTwice(payment: FakePayment, amount: string, takesMs: number) {
  const clicks: Promise<void>[] = [];
  await slowDownRefunds(takesMs, () => clicks.push(fixture.medusa.refund(payment, amount)));
  clicks.unshift(fixture.medusa.refund(payment, amount));
  await clicks[0];
  const [, second] = await Promise.allSettled(clicks);
  return second;
}

describe("a double click on a refund that takes long", () => {
  it.each([6, 15])(
    "a second click during the %s seconds that the service takes sends no second refund",
    async (seconds) => {
      const { payment } = await fixture.placePaidOrder();
      const second = await clickTwice(payment, "5", seconds * SECOND);
      expect(second).toMatchObject({
        status: "rejected",
        reason: { message: expect.stringContaining("was refunded a moment ago") },
      });
      expect(await fixture.refundsAtService()).toEqual([500]);
      expect(payment.refunds).toHaveLength(1);
    },
  );

  it("a second click while Medusa waits for a pending refund sends no second refund", async () => {
    const { payment } = await fixture.placePaidOrder();
    await fixture.sandbox.control.changeSettings({ refunds: "pending" });
    const second = await clickTwice(payment, "5", 2 * SECOND);
    expect(second?.status).toBe("rejected");
    expect(await fixture.refundsAtService()).toEqual([500]);
  });

  it.each([
    { answer: "completed", takesMs: 15 * SECOND },
    { answer: "pending", takesMs: 2 * SECOND },
  ] as const)(
    "the five seconds begin when the first click is answered, also with a $answer refund",
    async (example) => {
      const { payment } = await fixture.placePaidOrder();
      if (example.answer === "pending") await fixture.sandbox.control.changeSettings({ refunds: "pending" });
      await slowDownRefunds(example.takesMs);
      await fixture.medusa.refund(payment, "5");
      advance(limits.doubleClickMs - SECOND);
      await expect(fixture.medusa.refund(payment, "5")).rejects.toThrow("was refunded a moment ago");
      advance(2 * SECOND);
      await fixture.medusa.refund(payment, "5");
      expect(await fixture.refundsAtService()).toEqual([500, 500]);
      expect(payment.refunds).toHaveLength(2);
    },
  );
});
