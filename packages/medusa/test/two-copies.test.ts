import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isRecordOnly, runRecordOnly } from "../src/adapter/record-only-refund.ts";
import { reattachedPaymentFor, runReattaching } from "../src/store/reattached-payment.ts";
import { type Fixture, openFixture } from "./fixture.ts";

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.close());

/** Loads a second copy of a module, as Medusa does where pnpm has installed this package twice. */
function loadSecondCopy<Exports>(path: string): Promise<Exports> {
  return import(/* @vite-ignore */ `${path}?copy=2`) as Promise<Exports>;
}

type RecordOnly = { readonly isRecordOnly: typeof isRecordOnly };
type Reattached = { readonly reattachedPaymentFor: typeof reattachedPaymentFor };

describe("a store in which the package is installed twice", () => {
  it("a refund that one copy only records is not sent by the payment provider of the other copy", async () => {
    const other = await loadSecondCopy<RecordOnly>("../src/adapter/record-only-refund.ts");
    expect(other.isRecordOnly).not.toBe(isRecordOnly);
    await runRecordOnly("payment-1", async () => {
      expect(other.isRecordOnly("payment-1")).toBe(true);
      expect(other.isRecordOnly("payment-2")).toBe(false);
    });
    expect(other.isRecordOnly("payment-1")).toBe(false);
  });

  it("a held payment that one copy attaches to its cart is found by the payment provider of the other copy", async () => {
    const other = await loadSecondCopy<Reattached>("../src/store/reattached-payment.ts");
    expect(other.reattachedPaymentFor).not.toBe(reattachedPaymentFor);
    const payment = await fixture.payment((await fixture.startCheckout()).session);
    const attempt = await runReattaching(payment, async () => {
      expect(other.reattachedPaymentFor("payses_2")).toEqual({ ...payment, attempt: "payses_2" });
    });
    expect(attempt).toBe("payses_2");
  });
});
