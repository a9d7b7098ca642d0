import { purposeKey } from "@tillkit/core/hosts";
import { createManualClock } from "@tillkit/testkit";
import { describe, expect, test } from "vitest";
import { createSignedTokens } from "../src/signed-tokens.ts";

type Purpose = "pay" | "return" | "cancel" | "status";

const DAY = 24 * 60 * 60_000;
const KEY = "a key that only this merchant knows, 2026";
const OLD_KEY = "the key that the merchant had before, 2025";

describe("a signed token", () => {
  test("a token is valid only for the purpose it was signed for", () => {
    const tokens = createSignedTokens<Purpose>([KEY], createManualClock());
    const token = tokens.sign("return", "payment-1");
    expect(tokens.read("return", token)).toEqual({ status: "valid", value: "payment-1" });
    for (const other of ["pay", "cancel", "status"] as const) {
      expect(tokens.read(other, token)).toEqual({ status: "forged" });
    }
  });

  test("a token expires after 30 days", async () => {
    const clock = createManualClock();
    const tokens = createSignedTokens<Purpose>([KEY], clock);
    const token = tokens.sign("return", "payment-1");
    await clock.advance(29 * DAY);
    expect(tokens.read("return", token)).toMatchObject({ status: "valid" });
    await clock.advance(DAY);
    expect(tokens.read("return", token)).toEqual({ status: "expired" });
  });

  test("a token whose expiry or payment was changed without the key is forged", () => {
    const clock = createManualClock();
    const tokens = createSignedTokens<Purpose>([KEY], clock);
    const [id, expiry, signature] = tokens.sign("pay", "payment-1").split(".");
    const otherId = Buffer.from("payment-2").toString("base64url");
    expect(tokens.read("pay", `${id}.${Number(expiry) + 1}.${signature}`)).toEqual({ status: "forged" });
    expect(tokens.read("pay", `${otherId}.${expiry}.${signature}`)).toEqual({ status: "forged" });
    const strangers = createSignedTokens<Purpose>(["a key that somebody else has made up"], clock);
    expect(tokens.read("pay", strangers.sign("pay", "payment-1"))).toEqual({ status: "forged" });
  });

  test("a token of an old key is valid until that key is removed", () => {
    const clock = createManualClock();
    const token = createSignedTokens<Purpose>([OLD_KEY], clock).sign("cancel", "payment-1");
    expect(createSignedTokens<Purpose>([KEY, OLD_KEY], clock).read("cancel", token)).toMatchObject({ status: "valid" });
    expect(createSignedTokens<Purpose>([KEY], clock).read("cancel", token)).toEqual({ status: "forged" });
  });

  test("the key that signs tokens differs from every other key", () => {
    const keys = [KEY, purposeKey(KEY, "link"), purposeKey(KEY, "reference"), purposeKey(OLD_KEY, "link")];
    expect(new Set(keys).size).toBe(4);
  });

  test.each([
    "",
    "x",
    "..",
    "a.b.c",
    "cGF5.1.short",
    `${"a".repeat(401)}.1.${"b".repeat(43)}`,
    `cGF5.1e9.${"c".repeat(43)}`,
  ])("a token that was cut off or made up (%j) is malformed", (token) => {
    const tokens = createSignedTokens<Purpose>([KEY], createManualClock());
    expect(tokens.read("pay", token)).toEqual({ status: "malformed" });
  });
  test("a permanent token never expires and is the same for the same value", async () => {
    const clock = createManualClock();
    const tokens = createSignedTokens<Purpose>([KEY], clock);
    const token = tokens.signPermanent("pay", "order-1");
    await clock.advance(365 * DAY);
    expect(tokens.signPermanent("pay", "order-1")).toBe(token);
    expect(tokens.readPermanent("pay", token)).toBe("order-1");
    expect(tokens.readPermanent("return", token)).toBeNull();
    expect(tokens.read("pay", token)).toEqual({ status: "malformed" });
  });
});
