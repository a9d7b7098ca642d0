import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Fixture } from "../fixture.ts";
import { buy, serviceRefunds } from "../steps.ts";

/** Longer than the five seconds within which a repeated request counts as a double click. */
const SLOW_ANSWER_MS = 6_000;

export function repeatedRefunds(fixture: () => Fixture): void {
  /** The service answers the next refunds only after some seconds. */
  async function answerSlowly(times: number): Promise<void> {
    await fixture().sandbox.control.addFault({ method: "POST", path: "/refunds", delayMs: SLOW_ANSWER_MS, times });
  }

  describe("a repeated click on a refund", () => {
    it("three clicks make one refund although the service takes longer than a double click", async () => {
      const { paymentId, checkoutId } = await buy(fixture());
      const owner = await fixture().owner();
      await answerSlowly(1);
      const answers = await Promise.all(
        [0, 100, 2_000].map(async (delayMs) => {
          await sleep(delayMs);
          return await owner.refund(paymentId, 200_000);
        }),
      );
      // Which click arrives first is up to the network.
      expect(answers.filter((answer) => answer === null)).toHaveLength(1);
      expect(answers.filter((answer) => answer?.includes("a moment ago"))).toHaveLength(2);
      expect(await serviceRefunds(fixture(), checkoutId)).toEqual([2_000]);
    });

    it("a click that waits behind another amount's slow refund is no second refund", async () => {
      const { paymentId, checkoutId } = await buy(fixture());
      const owner = await fixture().owner();
      await answerSlowly(2);
      const first = owner.refund(paymentId, 100_000);
      await sleep(300);
      const other = owner.refund(paymentId, 200_000);
      await sleep(300);
      const repeated = owner.refund(paymentId, 100_000);
      expect(await Promise.all([first, other])).toEqual([null, null]);
      expect(await repeated).toContain("a moment ago");
      expect((await serviceRefunds(fixture(), checkoutId)).toSorted()).toEqual([1_000, 2_000]);
    });

    it("the same amount is refunded once more when its owner decides so later", async () => {
      const { paymentId, checkoutId } = await buy(fixture());
      const owner = await fixture().owner();
      expect(await owner.refund(paymentId, 100_000)).toBeNull();
      expect(await owner.refund(paymentId, 100_000)).toContain("a moment ago");
      await sleep(SLOW_ANSWER_MS);
      expect(await owner.refund(paymentId, 100_000)).toBeNull();
      expect(await serviceRefunds(fixture(), checkoutId)).toEqual([1_000, 1_000]);
    });
  });
}
