import type { PaymentState } from "@tillkit/core";
import { expect, it } from "vitest";
import type { GetLedger } from "./samples.ts";
import { givenPayments, NOON, ORDER, payment } from "./samples.ts";

const HOUR = 3_600_000;

export function testPaymentLists(getLedger: GetLedger): void {
  it("payments are counted by state, for one store or for all stores", async () => {
    expect(await getLedger().countPayments()).toMatchObject({ intent: 0, recorded: 0, refunded: 0 });
    await givenOrders(getLedger(), ["recorded", "recorded", "review"]);
    await givenPayments(
      getLedger(),
      payment("elsewhere", { ref: { storeId: "shoes", orderId: "1" }, state: "recorded" }),
    );
    expect(await getLedger().countPayments()).toMatchObject({ recorded: 3, review: 1, open: 0 });
    expect(await getLedger().countPayments({ storeId: "hats" })).toMatchObject({ recorded: 2, review: 1 });
    expect(await getLedger().countPayments({ storeId: "nowhere" })).toMatchObject({ recorded: 0 });
  });

  it("payments are listed newest first, and among payments of the same time the later insert first", async () => {
    const times = [NOON, NOON + HOUR, NOON, NOON - HOUR];
    for (const [index, createdAt] of times.entries()) {
      await givenPayments(getLedger(), payment(`p${index}`, { createdAt, ref: order(index), state: "recorded" }));
    }
    const { rows, next } = await getLedger().listPayments({ limit: 10 });
    expect(idsOf(rows)).toEqual(["p1", "p2", "p0", "p3"]);
    expect(next).toBeNull();
    expect(rows[0]).toEqual(await getLedger().find({ id: "p1" }));
  });

  it("paging through payments returns each payment once, whatever is added meanwhile", async () => {
    const states: readonly PaymentState[] = ["recorded", "review", "open", "expired", "recorded", "refunded", "closed"];
    for (const [index, state] of states.entries()) {
      await givenPayments(
        getLedger(),
        payment(`p${index}`, { state, ref: order(index), createdAt: NOON + (index % 3) }),
      );
    }
    const all = idsOf((await getLedger().listPayments({ limit: 99 })).rows);
    let page = await getLedger().listPayments({ limit: 3 });
    const pages = [idsOf(page.rows)];
    while (page.next !== null) {
      const number = pages.length;
      await givenPayments(getLedger(), payment(`new ${number}`, { ref: order(90 + number), createdAt: NOON + HOUR }));
      page = await getLedger().listPayments({ limit: 3, after: page.next });
      pages.push(idsOf(page.rows));
    }
    expect(pages.flat()).toEqual(all);
    expect(pages).toHaveLength(3);
  });

  it("a last page that is full has no next page", async () => {
    await givenOrders(getLedger(), ["recorded", "recorded"]);
    const first = await getLedger().listPayments({ limit: 1 });
    expect(first.next).not.toBeNull();
    const second = await getLedger().listPayments({ limit: 1, after: first.next ?? "" });
    expect(second.rows).toHaveLength(1);
    expect(second.next).toBeNull();
  });

  it("the payment list filters by store, order, states and creation time, and by all of them together", async () => {
    await givenPayments(
      getLedger(),
      payment("p0", { state: "recorded", createdAt: NOON }),
      payment("p1", { state: "superseded", createdAt: NOON + 1 }),
      payment("p2", { state: "review", ref: order(2), createdAt: NOON + 2 }),
      payment("p3", { state: "review", ref: { storeId: "shoes", orderId: ORDER.orderId }, createdAt: NOON + 3 }),
    );
    const list = async (filter: object) => idsOf((await getLedger().listPayments({ limit: 9, ...filter })).rows);
    expect(await list({ storeId: "hats" })).toEqual(["p2", "p1", "p0"]);
    expect(await list({ orderId: ORDER.orderId })).toEqual(["p3", "p1", "p0"]);
    expect(await list({ states: ["review", "superseded"] })).toEqual(["p3", "p2", "p1"]);
    expect(await list({ states: [] })).toEqual([]);
    expect(await list({ from: NOON + 1, until: NOON + 3 })).toEqual(["p2", "p1"]);
    expect(await list({ storeId: "hats", orderId: ORDER.orderId, states: ["recorded"], until: NOON + 1 })).toEqual([
      "p0",
    ]);
  });

  it("the payment list rejects an `after` cursor that no payment list returned", async () => {
    for (const after of ["", "p1", toBase64Url("null"), toBase64Url('{"a":1}')]) {
      await expect(getLedger().listPayments({ limit: 1, after })).rejects.toThrow(RangeError);
    }
  });
}

function toBase64Url(text: string): string {
  return Buffer.from(text).toString("base64url");
}

function order(index: number) {
  return { storeId: "hats", orderId: `order-${index + 1}` };
}

function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id);
}

async function givenOrders(ledger: ReturnType<GetLedger>, states: readonly PaymentState[]): Promise<void> {
  for (const [index, state] of states.entries()) {
    await givenPayments(ledger, payment(`p${index}`, { ref: order(index), state }));
  }
}
