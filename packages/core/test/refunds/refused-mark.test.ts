import { describe, expect, it } from "vitest";
import type { Service } from "../../src/hosts.ts";
import { CheckoutError } from "../../src/index.ts";
import { fixtureWithPaidOrder, refund, refundedTotal, withService } from "./refund-steps.ts";

const MAX_KEY_LENGTH = 255;

/** A service that refuses our mark, and every key that is too long for it. */
const refusesMarks = (service: Service): Partial<Service> => ({
  refund: async (input) => {
    if (input.key.length > MAX_KEY_LENGTH) throw new CheckoutError("refund_refused", "request_invalid: the key");
    const { reason } = JSON.parse(input.request) as { readonly reason: string };
    if (reason.startsWith("TK")) throw new CheckoutError("refund_reason_refused", "validation_failed: reason");
    return await service.refund(input);
  },
});

describe("a refund whose mark the service refuses", () => {
  it.each(["click-1", "k".repeat(MAX_KEY_LENGTH)])(
    "is made once without the mark, under whatever key: %s",
    async (key) => {
      const { fixture, paymentId } = await fixtureWithPaidOrder();
      Object.assign(fixture.engine, { tenants: withService(fixture.engine, refusesMarks).tenants });
      expect(await refund(fixture, paymentId, 2000, key)).toMatchObject({ key, state: "completed", mark: null });
      expect(await refund(fixture, paymentId, 2000, key)).toMatchObject({ key, state: "completed" });
      expect(refundedTotal(fixture)).toBe(2000);
    },
  );

  it("keeps two decisions apart whose long keys differ only at their end", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    Object.assign(fixture.engine, { tenants: withService(fixture.engine, refusesMarks).tenants });
    const start = "k".repeat(MAX_KEY_LENGTH - 1);
    await refund(fixture, paymentId, 2000, `${start}1`);
    // The credential is remembered as one that refuses marks, so only a later refund meets the refusal again.
    await fixture.clock.advance(31 * 24 * 3_600_000);
    await refund(fixture, paymentId, 1500, `${start}2`);
    const keys = (await fixture.ledger.refunds(paymentId)).map(({ unmarkedKey }) => unmarkedKey);
    expect(new Set(keys).size).toBe(2);
    expect(refundedTotal(fixture)).toBe(3500);
  });
});
