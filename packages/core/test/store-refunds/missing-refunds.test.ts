import { expect, it } from "vitest";
import { limits, type RefundToRecord, type StoreAnswer } from "../../src/index.ts";
import { recordMissingRefunds } from "../../src/store-refunds.ts";
import { openShop } from "./store-steps.ts";

async function openSweptShop() {
  const shop = await openShop();
  const { fixture, rows, book } = shop;
  const recorded: RefundToRecord[] = [];
  let answer: () => Promise<StoreAnswer> = async () => ({ outcome: "recorded", evidence: "read-back" });
  const host = {
    ledger: fixture.ledger,
    log: { warn() {} },
    listShown: async () => rows,
    async record(refund: RefundToRecord) {
      const given = await answer();
      if (given.outcome !== "recorded") return given;
      recorded.push(refund);
      book([refund.refundId, refund.key], refund.amount.minor);
      return given;
    },
  };
  return {
    ...shop,
    recorded,
    sweep: () => recordMissingRefunds(host, 0),
    answerWith(next: typeof answer) {
      answer = next;
    },
  };
}

it("a refund that the shop requested and does not show is recorded once, and its owner is told once", async () => {
  const { fixture, rows, recorded, click, sweep, sent } = await openSweptShop();
  await click(1_000);
  rows.pop();
  await sweep();
  await sweep();
  expect(recorded).toMatchObject([{ key: "shop:1", refundId: "refund-1", status: "completed" }]);
  await fixture.clock.advance(60_000);
  expect(await click(1_000)).toBe("refund_found");
  await fixture.clock.advance(limits.doubleClickMs);
  expect(await click(1_000)).toBe("made");
  expect(sent()).toEqual([1_000, 1_000]);
});

it("a refund that the shop shows is not recorded, and its next decision is a new one at once", async () => {
  const { fixture, recorded, click, sweep, sent } = await openSweptShop();
  await click(1_000);
  await sweep();
  expect(recorded).toEqual([]);
  await fixture.clock.advance(limits.doubleClickMs);
  expect(await click(1_000)).toBe("made");
  expect(sent()).toEqual([1_000, 1_000]);
});

it("a refund whose row is committed only during the sweep keeps its answer", async () => {
  const { fixture, rows, click, sweep, answerWith } = await openSweptShop();
  await click(1_000);
  const [row] = rows.splice(0);
  answerWith(async () => {
    if (row) rows.push(row);
    return { outcome: "already", evidence: "read-back" };
  });
  await sweep();
  await fixture.clock.advance(limits.doubleClickMs);
  expect(await click(1_000)).toBe("made");
});

it("a refund without a result, and one that could not be written, are looked at again", async () => {
  const { fixture, rows, click, recorded, sweep, answerWith } = await openSweptShop();
  expect(await sweep()).toBe(Number.POSITIVE_INFINITY);
  const firstAt = fixture.clock.now();
  await click(1_000);
  rows.pop();
  answerWith(async () => {
    throw new Error("The shop's database is down.");
  });
  expect(await sweep()).toBe(firstAt);
  await fixture.clock.advance(60_000);
  fixture.service.slowRefunds = true;
  await click(2_000);
  answerWith(async () => ({ outcome: "recorded", evidence: "read-back" }));
  expect(await sweep()).toBe(firstAt + 60_000);
  expect(recorded).toMatchObject([{ key: "shop:1" }]);
});
