import type { PaymentFilter } from "@tillkit/core/ledger";
import { expect, it } from "vitest";
import { deliveredEvent, type GetLedger, givenEvent, givenPayments, NOON, payment } from "./samples.ts";

const order = (index: number) => ({ storeId: "hats", orderId: `order-${index}` });
const euros = (minor: number) => ({ minor, currency: "EUR" });

export function testPaymentSearch(getLedger: GetLedger): void {
  async function givenFour(): Promise<void> {
    await givenPayments(
      getLedger(),
      payment("p1", { ref: order(1), orderNumber: "1042", createdAt: NOON, state: "recorded" }),
      payment("p2", { ref: order(2), environment: "live", amountDue: euros(1_000), createdAt: NOON + 1 }),
      payment("p3", { ref: order(3), orderNumber: "order-1", createdAt: NOON + 2, state: "review" }),
      payment("p4", { ref: { storeId: "shoes", orderId: "4" }, environment: "live", createdAt: NOON + 3 }),
    );
    await givenEvent(getLedger(), "p1", deliveredEvent({}, { customerId: "c-1" }));
    await givenEvent(
      getLedger(),
      "p3",
      deliveredEvent({ name: "PAYMENT_FAILED" }, { method: "CARD", customerId: "c-1" }),
    );
  }

  const search = async (filter: PaymentFilter) => {
    const { rows } = await getLedger().listPayments({ limit: 9, ...filter });
    return rows.map(({ id }) => id);
  };

  it.each<[string, PaymentFilter, readonly string[]]>([
    ["the order's number or id", { orderNumber: "order-1" }, ["p3", "p1"]],
    ["the order's number in one state", { orderNumber: "order-1", states: ["review"] }, ["p3"]],
    ["the order's number and environment", { orderNumber: "order-1", environment: "live" }, []],
    ["the service's customer", { customerId: "c-1" }, ["p3", "p1"]],
    ["the environment", { environment: "live" }, ["p4", "p2"]],
    ["environment and store", { environment: "live", storeId: "shoes" }, ["p4"]],
    ["the method", { method: "CARD" }, ["p3"]],
    ["a method that no shopper used", { method: "MTN" }, []],
    ["method and state", { method: "WAVE", states: ["recorded", "refunded"] }, ["p1"]],
    ["method and no state", { method: "WAVE", states: [] }, []],
    ["amount and currency", { currency: "EUR", minAmount: 1_000, maxAmount: 1_000 }, ["p2"]],
    ["a minimum amount", { currency: "XOF", minAmount: 5_001 }, []],
    ["period and environment", { environment: "live", from: NOON + 1, until: NOON + 3 }, ["p2"]],
  ])("payments are found by %s", async (_name, filter, expected) => {
    await givenFour();
    expect(await search(filter)).toEqual(expected);
  });

  it("the newest payment is found by the beginning of its id, and by nothing else", async () => {
    await givenPayments(
      getLedger(),
      payment("5b1f6f0e-3a7c", { ref: order(1), createdAt: NOON + 1 }),
      payment("5b1f6f0e-11aa", { ref: order(2), createdAt: NOON }),
      payment("5b1f6f0f-0000", { ref: order(3), createdAt: NOON + 2 }),
    );
    expect((await getLedger().find({ idPrefix: "5b1f6f0e" }))?.id).toBe("5b1f6f0e-3a7c");
    expect((await getLedger().find({ idPrefix: "5b1f6f0e-1" }))?.id).toBe("5b1f6f0e-11aa");
    for (const idPrefix of ["", "f6f0e", "5b1f6f0e-3a7c-", "5B1F6F0E", "%"])
      expect(await getLedger().find({ idPrefix }), idPrefix).toBeNull();
  });

  it("a search continues page by page and returns each payment once", async () => {
    for (let index = 0; index < 7; index += 1) {
      const environment = index % 2 === 0 ? "live" : "test";
      await givenPayments(getLedger(), payment(`p${index}`, { ref: order(index), environment }));
    }
    let page = await getLedger().listPayments({ environment: "live", limit: 2 });
    const seen = [...page.rows];
    while (page.next !== null) {
      page = await getLedger().listPayments({ environment: "live", limit: 2, after: page.next });
      seen.push(...page.rows);
    }
    expect(seen.map(({ id }) => id)).toEqual(["p6", "p4", "p2", "p0"]);
  });

  it("payments are counted for one environment, of all stores or of one, exactly or up to a number", async () => {
    await givenFour();
    expect(await getLedger().countPayments({ environment: "live" })).toMatchObject({ recorded: 0, review: 0 });
    expect(await getLedger().countPayments({ environment: "test" })).toMatchObject({ recorded: 1, review: 1 });
    const upToNine = await getLedger().countPayments({ environment: "live", storeId: "shoes", atMost: 9 });
    expect(Object.values(upToNine).reduce((sum, count) => sum + count)).toBe(1);
  });

  it("payments and deliveries are counted up to the given number only", async () => {
    for (let index = 0; index < 4; index += 1) {
      await givenPayments(getLedger(), payment(`p${index}`, { ref: order(index), state: "closed" }));
    }
    await givenEvent(getLedger(), "p1", deliveredEvent());
    await givenEvent(getLedger(), "p2", deliveredEvent());
    expect(await getLedger().countPayments({ atMost: 3 })).toMatchObject({ closed: 3, open: 0 });
    expect(await getLedger().countPayments({ atMost: 9, storeId: "hats" })).toMatchObject({ closed: 4 });
    expect(await getLedger().countDeliveries({ atMost: 1 })).toMatchObject({ processed: 1, waiting: 0 });
    expect(await getLedger().countDeliveries({ atMost: 5 })).toMatchObject({ processed: 2 });
  });
}
