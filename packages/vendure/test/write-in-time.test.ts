import type { Clock } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { writeInTime } from "../src/order/write-in-time.ts";
import type { ShopServices } from "../src/shop-services.ts";

describe("a write to Vendure in one transaction", () => {
  it("is rolled back when the worker slept before its commit", async () => {
    const vendure = fakeVendure();
    const writing = writeInTime(vendure.shop, async () => vendure.pass(30 * 3_600_000));
    await expect(writing).rejects.toMatchObject({ code: "unavailable" });
    expect(vendure.transactions()).toEqual(["rolled back"]);
  });

  it("is rolled back when the worker slept before the transaction began", async () => {
    const vendure = fakeVendure({ sleepsBeforeContext: true });
    await expect(writeInTime(vendure.shop, async () => "written")).rejects.toMatchObject({ code: "unavailable" });
    expect(vendure.transactions()).toEqual(["rolled back"]);
  });

  it("is committed in time", async () => {
    const vendure = fakeVendure();
    await writeInTime(vendure.shop, async () => vendure.pass(19_000));
    expect(vendure.transactions()).toEqual(["committed"]);
  });
});

/** A connection that notes how each transaction ended, and a clock that a test moves. */
function fakeVendure({ sleepsBeforeContext = false } = {}) {
  let now = Date.UTC(2026, 10, 28, 9);
  const transactions: string[] = [];
  const clock: Clock = { now: () => now, sleep: () => new Promise(() => undefined) };
  const pass = (ms: number) => {
    now += ms;
  };
  async function withTransaction<Value>(context: unknown, work: (transaction: unknown) => Promise<Value>) {
    try {
      const value = await work(context);
      transactions.push("committed");
      return value;
    } catch (error) {
      transactions.push("rolled back");
      throw error;
    }
  }
  async function context() {
    if (sleepsBeforeContext) pass(30 * 3_600_000);
    return {};
  }
  const shop = { services: { connection: { withTransaction } }, clock, context } as unknown as ShopServices;
  return { shop, pass, transactions: () => transactions };
}
