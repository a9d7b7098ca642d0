import { StoreError } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { hasAuthorizedPart, isSettledByUs, PAYMENT_ID } from "../src/order/paid-by.ts";
import { refusalOf, VendureRefusal } from "../src/order/refusals.ts";

const OURS = { metadata: { [PAYMENT_ID]: "pay_1" } };

describe("an error of Vendure while it settles an order", () => {
  it("an order whose product was deleted is a refusal for a missing part", () => {
    const error = Object.assign(new Error("error.entity-with-id-not-found"), { code: "ENTITY_NOT_FOUND" });
    expect(refusalOf(error)).toEqual({ kind: "part_missing" });
  });

  it("an input that Vendure refuses is a refusal that names Vendure's code", () => {
    const error = Object.assign(new Error("error.payment-method-not-found"), { code: "USER_INPUT_ERROR" });
    expect(refusalOf(error)).toEqual({ kind: "refused_by_platform", code: "USER_INPUT_ERROR" });
  });

  it("the reason of a refusal is kept as it is", () => {
    const why = { kind: "left_unsettled", state: "ArrangingPayment" } as const;
    expect(refusalOf(new VendureRefusal(why))).toEqual(why);
  });

  it("a deadlock of the database is no refusal, so the engine tries again", () => {
    const error = Object.assign(new Error("deadlock detected"), { code: "40P01" });
    expect(refusalOf(error)).toBeNull();
  });

  it("a shop that cannot be written now is no refusal, so the engine tries again", () => {
    expect(refusalOf(new StoreError("unavailable", "Vendure has no such channel."))).toBeNull();
  });
});

describe("the payments of a Vendure order", () => {
  it("only a settled payment with our id is settled by us", () => {
    expect(isSettledByUs({ ...OURS, state: "Settled" })).toBe(true);
    expect(isSettledByUs({ ...OURS, state: "Created" })).toBe(false);
    expect(isSettledByUs({ metadata: {}, state: "Settled" })).toBe(false);
  });

  it("a part that another method has authorized and not charged is found, and a charged part is not", () => {
    const paymentIn = (state: string) => ({ payments: [{ state, metadata: {} }] as never[] });
    expect(hasAuthorizedPart(paymentIn("Authorized"))).toBe(true);
    expect(hasAuthorizedPart(paymentIn("Settled"))).toBe(false);
  });
});
