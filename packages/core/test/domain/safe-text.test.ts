import { describe, expect, it } from "vitest";
import { startOwnTime } from "../../../../test/waiting/own-time.ts";
import { safeReason, safeText } from "../../src/domain/safe-text.ts";

describe("safe texts", () => {
  it.each([
    "mail awa.diop@example.test now",
    "call +225 07 08 09 10 11",
    "call 0708091011",
    "card 4242 4242 4242 4242",
    "card 4242-4242-4242-4242",
    "key svc_sk_test_abcdefghijklmnopqrstuvwxyz012345",
    "secret whsec_00112233445566778899aabbccddeeff",
  ])("a safe text hides personal data and secrets: %s", (text) => {
    const safe = safeText(text);
    expect(safe).toMatch(/\[(email|number|secret)\]/);
    expect(safe).not.toMatch(/@|4242|0708|08 09|svc_sk|whsec_|\d{5}/);
  });

  it.each([
    "order 1042 answered 503 for 6f1f0a0e-6f59-4f0c-9f7a-1a6b8f1d2c33 after 15 s",
    "transaction b0a0d7d2-1cc0-44bf-9cba-a33e24337146, whose id ends like a phone number",
    "transaction 12345678-1234-4123-8123-123456789012, whose id is all digits",
  ])("a safe text keeps what support needs: %s", (text) => {
    expect(safeText(text)).toBe(text);
  });

  it("a safe reason is short and accepts a thrown value that is not an error", () => {
    expect(safeReason(new Error("x".repeat(5000)))).toHaveLength(300);
    expect(safeReason(undefined)).toMatch(/not an Error/);
  });

  it.each([
    ["one endless word", (size: number) => "a".repeat(size)],
    ["an endless number", (size: number) => `${"1".repeat(size)}a`],
    ["an endless number in groups", (size: number) => `${"1-".repeat(size / 2)}a`],
    ["nothing but signs before digits", (size: number) => "+1".repeat(size / 2)],
  ])("the cost of a safe text grows linearly with its length: %s", (_, textOf) => {
    const [short, long] = [costOf(textOf(15_000)), costOf(textOf(60_000))];
    // With quadratic cost four times the length took sixteen times as long (3.5 s for 60 KB). The floor removes noise from the ratio.
    expect(long).toBeLessThan(Math.max(8 * short, 100));
  });
});

function costOf(text: string): number {
  const times = [1, 2, 3].map(() => {
    const ownTime = startOwnTime();
    safeText(text);
    return ownTime();
  });
  return Math.min(...times);
}
