import { expect, it } from "vitest";
import { commit, type GetLedger, givenPayments, NOON, payment, refund } from "./samples.ts";

export function testRefundLists(getLedger: GetLedger): void {
  it("refunds of all payments are listed newest first, by store, environment and period, page by page", async () => {
    const shoes = { storeId: "shoes", orderId: "1" };
    await givenPayments(
      getLedger(),
      payment("p1", { state: "recorded" }),
      payment("p2", { ref: shoes, state: "recorded", environment: "live" }),
    );
    await commit(getLedger(), {
      refunds: [refund("first"), refund("second", { paymentId: "p2", requestedAt: NOON + 1 }), refund("third")],
    });
    const list = async (query: object) => {
      const page = await getLedger().listRefunds({ limit: 9, ...query });
      return page.rows.map(({ key }) => key);
    };
    expect(await list({})).toEqual(["second", "third", "first"]);
    expect(await list({ storeId: "shoes" })).toEqual(["second"]);
    expect(await list({ environment: "live" })).toEqual(["second"]);
    expect(await list({ environment: "test" })).toEqual(["third", "first"]);
    expect(await list({ environment: "test", storeId: "shoes" })).toEqual([]);
    expect(await list({ from: NOON, until: NOON + 1 })).toEqual(["third", "first"]);
    const page = await getLedger().listRefunds({ limit: 2 });
    expect(page.rows[0]).toEqual((await getLedger().refunds("p2"))[0]);
    expect(await list({ limit: 2, after: page.next })).toEqual(["first"]);
  });
}
