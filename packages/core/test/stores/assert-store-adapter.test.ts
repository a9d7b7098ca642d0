import { describe, expect, it } from "vitest";
import { assertStoreAdapter } from "../../src/index.ts";

const complete = {
  platform: "handmade",
  writes: { kind: "conditional" },
  findOrder: async () => null,
  markPaid: async () => ({ outcome: "recorded", evidence: "read-back" }),
  holdForReview: async () => undefined,
  shopperUrl: async () => "https://shop.example/",
};

describe("an adapter in plain JavaScript", () => {
  it.each([
    ["without markPaid", { ...complete, markPaid: undefined }, /"hats" lacks markPaid\(\)\./],
    ["without two methods", { ...complete, markPaid: null, findOrder: 7 }, /lacks findOrder\(\), markPaid\(\)/],
    ["with a note that is not a function", { ...complete, addNote: "note" }, /has a addNote that is not a function/],
    ["without its way of writing", { ...complete, writes: undefined }, /must say how it writes: writes: \{ kind/],
    ["with an unknown way of writing", { ...complete, writes: { kind: "quickly" } }, /must say how it writes/],
    ["without a time to settle", { ...complete, writes: { kind: "read-then-write" } }, /settleAfterMs/],
    [
      "with the class of a member that does not write",
      { ...complete, memberWrites: { findOrder: complete.writes } },
      /has memberWrites\.findOrder, which must be holdForReview, markPending, markRefused, recordRefund or addNote/,
    ],
    [
      "with a member without a time to settle",
      { ...complete, memberWrites: { recordRefund: { kind: "read-then-write" } } },
      /has memberWrites\.recordRefund/,
    ],
    ["that is missing", undefined, /"hats" is not an object/],
  ])("an adapter %s is refused with a sentence that says what it lacks", (_name, adapter, message) => {
    const refusal = expect.objectContaining({ code: "configuration_invalid", message: expect.stringMatching(message) });
    expect(() => assertStoreAdapter("hats", adapter)).toThrow(refusal);
  });

  it("an adapter whose methods are inherited from its class is accepted", () => {
    class Base {
      readonly writes = { kind: "read-then-write", settleAfterMs: 120_000 };
      findOrder() {}
      markPaid() {}
      holdForReview() {}
      shopperUrl() {}
    }
    const adapter = new (class extends Base {})();
    expect(() => assertStoreAdapter("hats", adapter)).not.toThrow();
  });
});
