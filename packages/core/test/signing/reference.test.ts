import { describe, expect, it } from "vitest";
import { readReference, signReference } from "../../src/signing/reference.ts";

describe("references", () => {
  it("a reference is read with any of the keys", () => {
    const reference = signReference("payment-1", "old");
    expect(readReference(reference, ["new", "old"])).toBe("payment-1");
    expect(readReference(reference, ["new"])).toBeNull();
  });

  it.each(["", ".", "payment-1", "payment-1.", "payment-1.0000", `${signReference("payment-2", "key")}x`])(
    "a forged reference is rejected: %j",
    (reference) => {
      expect(readReference(reference, ["key"])).toBeNull();
    },
  );

  it("a reference is not valid for another payment", () => {
    const mac = signReference("payment-1", "key").split(".")[1];
    expect(readReference(`payment-2.${mac}`, ["key"])).toBeNull();
  });
});
