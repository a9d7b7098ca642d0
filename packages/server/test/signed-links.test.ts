import { purposeKey } from "@tillkit/core";
import { createManualClock } from "@tillkit/testkit";
import { describe, expect, test } from "vitest";
import { createSignedLinks } from "../src/signed-links.ts";

const DAY = 24 * 60 * 60_000;
const KEY = "a key that only this merchant knows, 2026";
const OLD_KEY = "the key that the merchant had before, 2025";

describe("a link that a shopper gets", () => {
  test("names its payment, for the purpose it was made for only", () => {
    const links = createSignedLinks([KEY], createManualClock());
    const token = links.sign("return", "payment-1");
    expect(links.read("return", token)).toEqual({ say: "valid", paymentId: "payment-1" });
    for (const other of ["pay", "cancel", "status"] as const) {
      expect(links.read(other, token)).toEqual({ say: "forged" });
    }
  });

  test("outlives the 72 hours in which late money is looked for, and ends after 30 days", async () => {
    const clock = createManualClock();
    const links = createSignedLinks([KEY], clock);
    const token = links.sign("return", "payment-1");
    await clock.advance(29 * DAY);
    expect(links.read("return", token)).toMatchObject({ say: "valid" });
    await clock.advance(DAY);
    expect(links.read("return", token)).toEqual({ say: "expired" });
  });

  test("cannot be made to live longer, or to name another payment, without the key", () => {
    const clock = createManualClock();
    const links = createSignedLinks([KEY], clock);
    const [id, expiry, signature] = links.sign("pay", "payment-1").split(".");
    const otherId = Buffer.from("payment-2").toString("base64url");
    expect(links.read("pay", `${id}.${Number(expiry) + 1}.${signature}`)).toEqual({ say: "forged" });
    expect(links.read("pay", `${otherId}.${expiry}.${signature}`)).toEqual({ say: "forged" });
    const strangers = createSignedLinks(["a key that somebody else has made up"], clock);
    expect(links.read("pay", strangers.sign("pay", "payment-1"))).toEqual({ say: "forged" });
  });

  test("still works after the merchant put a new key in front of the old one, and stops when the old one is dropped", () => {
    const clock = createManualClock();
    const token = createSignedLinks([OLD_KEY], clock).sign("cancel", "payment-1");
    expect(createSignedLinks([KEY, OLD_KEY], clock).read("cancel", token)).toMatchObject({ say: "valid" });
    expect(createSignedLinks([KEY], clock).read("cancel", token)).toEqual({ say: "forged" });
  });

  test("is signed with a key that signs nothing else", () => {
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
    "cGF5.1e9.".padEnd(52, "c"),
  ])("that was cut off or made up (%j) is garbage, not a fault", (token) => {
    const links = createSignedLinks([KEY], createManualClock());
    expect(links.read("pay", token)).toEqual({ say: "garbage" });
  });
});
