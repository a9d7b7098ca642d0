import { describe, expect, it } from "vitest";
import { refundPayment, syncRefunds } from "../../src/index.ts";
import {
  findFailedRefunds,
  isRefundSettled,
  replaceFailedRefund,
  sendRefundAgain,
  settleRefundOutside,
} from "../../src/store-refunds.ts";
import { addDashboardRefund, francs } from "../refunds/refund-steps.ts";
import { openRowFirstShop } from "./row-first-shop.ts";

/** A shop that shows a refund of 1,000 F CFA which failed a while later. */
async function openShopWithFailedRefund() {
  const shop = await openRowFirstShop();
  const { fixture, rows, click, payment, host, storeOf } = shop;
  await shop.failLater(() => click(1_000));
  await fixture.clock.advance(60_000);
  const decision = { by: "owner", id: "one click", stillApplies: async () => true };
  const failed = async () => await findFailedRefunds(fixture.ledger, await payment(), rows);
  const lastKey = async () => (await failed())[0]?.refund.key ?? "";
  return {
    ...shop,
    failed,
    sendAgain: async (key: string) => await sendRefundAgain(host, storeOf(), await payment(), key, decision),
    settle: async (key: string, stillApplies = decision.stillApplies) =>
      await settleRefundOutside(host, storeOf(), await payment(), key, {
        ...decision,
        reason: "In cash",
        stillApplies,
      }),
    lastKey,
    async refundInDashboard(minor: number) {
      addDashboardRefund(fixture, minor, fixture.clock.now());
      await syncRefunds(fixture.engine, (await payment()).id);
      return await replaceFailedRefund(fixture.ledger, (await payment()).id, "refund-9", rows);
    },
  };
}

const CHANGED = { code: "ledger_busy" };

describe("a refund that failed after its shop had shown it", () => {
  it("it is listed with its row, and another click for its amount is a new refund", async () => {
    const { failed, click, sent } = await openShopWithFailedRefund();
    expect(await failed()).toMatchObject([{ row: "shop:1", refund: { key: "shop:1", state: "failed" } }]);
    expect(await click(1_000)).toBe("made");
    expect(await failed()).toHaveLength(1);
    expect(sent()).toEqual([1_000, 1_000]);
  });

  it("it is sent again once while its row stays, and a further click for its amount is another decision", async () => {
    const { fixture, failed, rows, sendAgain, click, made } = await openShopWithFailedRefund();
    expect(await sendAgain("shop:1")).toMatchObject({ key: "shop:1:again:1", state: "completed" });
    expect([await failed(), rows.length]).toEqual([[], 1]);
    await expect(sendAgain("shop:1")).rejects.toMatchObject(CHANGED);
    expect(await click(1_000)).toBe("refund_repeated");
    await fixture.clock.advance(60_000);
    expect(await click(1_000)).toBe("made");
    expect(made()).toEqual([1_000, 1_000]);
  });

  it("two people who send it again at the same time make one refund", async () => {
    const { sendAgain, made } = await openShopWithFailedRefund();
    const answers = await Promise.allSettled([sendAgain("shop:1"), sendAgain("shop:1")]);
    expect(answers.map(({ status }) => status)).toContain("fulfilled");
    expect(made()).toEqual([1_000]);
  });

  it("it is listed again when the next try fails, and is sent a third time", async () => {
    const { failed, failLater, sendAgain, lastKey, made } = await openShopWithFailedRefund();
    await failLater(() => sendAgain("shop:1"));
    expect(await failed()).toMatchObject([{ row: "shop:1", refund: { key: "shop:1:again:1" } }]);
    expect(await sendAgain(await lastKey())).toMatchObject({ key: "shop:1:again:2" });
    expect(made()).toEqual([1_000]);
  });

  it("a refund with a lost answer that another row shows and that failed later is sent again in place of that row", async () => {
    const shop = await openRowFirstShop();
    const { fixture, rows, click, payment, host, storeOf } = shop;
    fixture.service.lostResponses = 1;
    expect(await click(1_000)).toBe("unknown");
    await shop.failLater(() => click(1_000));
    const failed = await findFailedRefunds(fixture.ledger, await payment(), rows);
    expect(failed).toMatchObject([{ row: "shop:2", refund: { key: "shop:1" } }]);
    const decision = { by: "owner", id: "one click", stillApplies: async () => true };
    await sendRefundAgain(host, storeOf(), await payment(), "shop:1", decision);
    expect(await findFailedRefunds(fixture.ledger, await payment(), rows)).toEqual([]);
    expect(shop.made()).toEqual([1_000]);
  });

  it("a refund of its amount in the service's dashboard replaces it, and nobody sends another one", async () => {
    const { failed, refundInDashboard, sendAgain, made } = await openShopWithFailedRefund();
    expect(await refundInDashboard(1_000)).toBe(true);
    expect(await failed()).toEqual([]);
    await expect(sendAgain("shop:1")).rejects.toMatchObject(CHANGED);
    expect(made()).toEqual([1_000]);
  });

  it("a repeated report of that refund changes nothing", async () => {
    const { fixture, rows, payment, refundInDashboard } = await openShopWithFailedRefund();
    await refundInDashboard(1_000);
    const { id, version } = await payment();
    expect(await replaceFailedRefund(fixture.ledger, id, "refund-9", rows)).toBe(true);
    expect((await payment()).version).toBe(version);
  });

  it("a refund of another amount in the service's dashboard does not replace it", async () => {
    const { failed, refundInDashboard } = await openShopWithFailedRefund();
    expect(await refundInDashboard(900)).toBe(false);
    expect(await failed()).toHaveLength(1);
  });

  it("a refund of its amount in the dashboard during a click on *send again* answers that click", async () => {
    const { fixture, payment, rows, host, storeOf, refundInDashboard, made } = await openShopWithFailedRefund();
    let isFirst = true;
    async function stillApplies() {
      if (isFirst) {
        isFirst = false;
        await refundInDashboard(1_000);
      }
      return true;
    }
    const sent = await sendRefundAgain(host, storeOf(), await payment(), "shop:1", {
      by: "owner",
      id: "one click",
      stillApplies,
    });
    expect(sent.refundId).toBe("refund-9");
    expect(await findFailedRefunds(fixture.ledger, await payment(), rows)).toEqual([]);
    expect(made()).toEqual([1_000]);
  });

  it("it leaves the list once it was settled outside the service, and nothing is sent for it", async () => {
    const { fixture, failed, rows, payment, settle, sendAgain, made } = await openShopWithFailedRefund();
    await settle("shop:1");
    expect(await failed()).toEqual([]);
    await expect(sendAgain("shop:1")).rejects.toMatchObject(CHANGED);
    await expect(settle("shop:1")).rejects.toMatchObject(CHANGED);
    const [refund] = await fixture.ledger.refunds((await payment()).id);
    expect(refund && (await isRefundSettled(fixture.ledger, await payment(), rows, refund))).toBe(true);
    expect((await fixture.ledger.timeline({ paymentId: (await payment()).id })).at(-1)).toMatchObject({
      kind: "refund_settled",
      by: "owner",
      reason: "In cash",
    });
    expect(made()).toEqual([]);
  });

  it("it is not settled while somebody else sends it again", async () => {
    const { fixture, rows, payment, settle, sendAgain, made } = await openShopWithFailedRefund();
    const { records } = fixture.ledger;
    const { put } = records;
    let isFirst = true;
    Object.assign(records, {
      async put(...row: Parameters<typeof put>) {
        // After the comparison of the settlement, and before its commit.
        if (row[1] === "settled_refund" && isFirst) {
          isFirst = false;
          await sendAgain("shop:1");
        }
        return await put.apply(records, row);
      },
    });
    await expect(settle("shop:1")).rejects.toMatchObject(CHANGED);
    const refunds = await fixture.ledger.refunds((await payment()).id);
    const current = await payment();
    const areSettled = await Promise.all(refunds.map((one) => isRefundSettled(fixture.ledger, current, rows, one)));
    expect([areSettled, made()]).toEqual([[false, false], [1_000]]);
  });

  it("it is not settled for a person who saw another state", async () => {
    const { failed, settle } = await openShopWithFailedRefund();
    await expect(settle("shop:1", async () => false)).rejects.toMatchObject(CHANGED);
    expect(await failed()).toHaveLength(1);
  });
});

describe("a refund that the owner made outside of the shop and that failed", () => {
  it("it is listed without a row until it was settled or another one was made", async () => {
    const { fixture, rows, payment, host, storeOf } = await openRowFirstShop();
    const { id: paymentId } = await payment();
    const own = { paymentId, amount: francs(1_000), origin: "tillkit" } as const;
    fixture.service.refuseRefunds = true;
    for (const key of ["own:1", "own:2"]) await refundPayment(fixture.engine, { ...own, key });
    const failed = async () => await findFailedRefunds(fixture.ledger, await payment(), rows);
    expect(await failed()).toMatchObject([{ row: null, refund: { key: "own:2" } }]);
    const decision = { by: "owner", id: "one click", stillApplies: async () => true };
    await expect(sendRefundAgain(host, storeOf(), await payment(), "own:2", decision)).rejects.toMatchObject(CHANGED);
    await settleRefundOutside(host, storeOf(), await payment(), "own:2", { ...decision, reason: "In cash" });
    expect(await failed()).toEqual([]);
    await refundPayment(fixture.engine, { ...own, key: "own:3" });
    expect(await failed()).toHaveLength(1);
    fixture.service.refuseRefunds = false;
    await refundPayment(fixture.engine, { ...own, key: "own:4" });
    expect(await failed()).toEqual([]);
  });
});
