import { describe, expect, it } from "vitest";
import { readReference, signReference } from "../../src/signing/reference.ts";

describe("our reference", () => {
  it("names the payment to whoever knows one of the keys", () => {
    const reference = signReference("payment-1", "old");
    expect(readReference(reference, ["new", "old"])).toBe("payment-1");
    expect(readReference(reference, ["new"])).toBeNull();
  });

  it.each(["", ".", "payment-1", "payment-1.", "payment-1.0000", `${signReference("payment-2", "key")}x`])(
    "is not believed when it is forged: %j",
    (reference) => {
      expect(readReference(reference, ["key"])).toBeNull();
    },
  );

  it("does not carry over to another payment", () => {
    const mac = signReference("payment-1", "key").split(".")[1];
    expect(readReference(`payment-2.${mac}`, ["key"])).toBeNull();
  });
});
