import { describe, expect, it } from "vitest";
import { limits } from "../../src/index.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { HOUR, passTime, startPayment } from "../fixture/steps.ts";

describe("an attempt that ended without money", () => {
  it("an unpaid attempt is refused at the platform only after the grace period", async () => {
    const refused: string[] = [];
    const fixture = createEngineFixture({
      store: {
        markRefused: async (_ref, _attempt, { code }) => {
          refused.push(code);
          return { outcome: "recorded", evidence: "acknowledged" };
        },
      },
    });
    await startPayment(fixture);
    await passTime(fixture, { ms: limits.graceMs - HOUR, stepMs: HOUR });
    expect(refused).toEqual([]);
    await passTime(fixture, { ms: 3 * HOUR, stepMs: HOUR });
    expect(refused).toEqual(["not_paid"]);
    await fixture.expectPaymentIn("closed");
  });

  it("an attempt is not refused while its newer payment may still be paid", async () => {
    const refused: string[] = [];
    const fixture = createEngineFixture({
      store: {
        markRefused: async (_ref, _attempt, { code }) => {
          refused.push(code);
          return { outcome: "recorded", evidence: "acknowledged" };
        },
      },
    });
    await startPayment(fixture);
    await fixture.clock.advance(60 * HOUR);
    await startPayment(fixture);
    await passTime(fixture, { ms: 14 * HOUR, stepMs: HOUR });
    await fixture.expectPaymentIn("closed");
    expect(refused).toEqual([]);
  });
});
