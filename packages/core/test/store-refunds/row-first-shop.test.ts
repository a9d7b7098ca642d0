import { describe, expect, it } from "vitest";
import { confirmPayment, limits } from "../../src/index.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { acceptShown, startAndPay } from "../fixture/steps.ts";
import { ANSWER_WITHIN_MS, openRowFirstShop, rowFirstShopOf } from "./row-first-shop.ts";

describe("two processes of a shop that do not wait for each other", () => {
  it("two clicks that reach two processes at the same time make one refund", async () => {
    const { click, rows, sent } = await openRowFirstShop();
    let first: unknown;
    const second = await click(1_000, async () => {
      first = await click(1_000);
    });
    expect([first, second]).toEqual(["made", "refund_repeated"]);
    expect([sent(), rows.length]).toEqual([[1_000], 1]);
  });

  it("a click while the service makes the refund of another process makes no second refund", async () => {
    const { fixture, click, rows, sent } = await openRowFirstShop();
    const { tenants } = fixture.engine;
    const { service } = tenants;
    let second: unknown = null;
    tenants.service = async (id) => ({
      ...(await service(id)),
      async refund(request) {
        const answer = await (await service(id)).refund(request);
        if (second === null) {
          second = "under way";
          second = await click(1_000);
        }
        return answer;
      },
    });
    expect(await click(1_000)).toBe("made");
    expect(second).toBe("refund_found");
    expect([sent(), rows.length]).toEqual([[1_000], 1]);
  });

  it.each([1, 2])(
    "two clicks that look for one refund whose answer was lost show it once, after %s reads",
    async (reads) => {
      const { fixture, click, rows, sent } = await openRowFirstShop();
      fixture.service.lostResponses = 1;
      expect(await click(1_000)).toBe("unknown");
      await fixture.clock.advance(60_000);
      await fixture.work();
      let first: unknown;
      const other = async () => {
        first = await click(1_000);
      };
      const second = await click(1_000, other, reads);
      expect([first, second]).toEqual(["made", "refund_repeated"]);
      expect([sent(), rows.length]).toEqual([[1_000], 1]);
    },
  );

  it("a refund that a row was removed of during the next click is shown by the row of that click", async () => {
    const { fixture, click, rows, sent } = await openRowFirstShop();
    const second = await click(1_000, async () => {
      await click(1_000);
      rows.pop();
      await fixture.clock.advance(60_000);
    });
    expect(second).toBe("made");
    await fixture.clock.advance(60_000);
    expect(await click(1_000)).toBe("made");
    expect([sent(), rows.length]).toEqual([[1_000, 1_000], 2]);
  });
});

describe("a shop that knows no pending refund", () => {
  it("a refund that fails within the time of the answer is refused", async () => {
    const { fixture, click, rows, runWhileWaiting, endAtService } = await openRowFirstShop();
    fixture.service.slowRefunds = true;
    runWhileWaiting(() => endAtService(0, "failed"));
    expect(await click(1_000)).toBe("refused_by_service");
    expect(rows).toEqual([]);
  });

  it("a refund that is pending for longer is accepted, and five seconds after that answer a click is a new decision", async () => {
    const { fixture, click, sent } = await openRowFirstShop();
    fixture.service.slowRefunds = true;
    const askedAt = fixture.clock.now();
    expect(await click(1_000)).toBe("pending");
    expect(fixture.clock.now() - askedAt).toBe(ANSWER_WITHIN_MS);
    await fixture.clock.advance(limits.doubleClickMs - 1);
    expect(await click(1_000)).toBe("refund_repeated");
    await fixture.clock.advance(1);
    expect(await click(1_000)).toBe("pending");
    expect(sent()).toEqual([1_000, 1_000]);
  });

  it("a click while another process waits for the result is a repeat", async () => {
    const { fixture, click, sent, runWhileWaiting } = await openRowFirstShop();
    fixture.service.slowRefunds = true;
    const seconds: unknown[] = [];
    runWhileWaiting(async () => seconds.push(await click(1_000)));
    expect(await click(1_000)).toBe("pending");
    expect(new Set(seconds)).toEqual(new Set(["refund_repeated"]));
    expect(sent()).toEqual([1_000]);
  });
});

describe("what a shop counts and never arrived", () => {
  it("a shortfall that the owner accepted is told apart from a payment of which nothing arrived", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    expect(await rowFirstShopOf(fixture, paymentId).click(5_000)).toBe("no_money");
    const session = fixture.service.sessions.get("session-1");
    if (session) session.overrides = { wireAmount: 4_000 };
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    await acceptShown(fixture, paymentId);
    await fixture.work();
    const { click, sent } = rowFirstShopOf(fixture, paymentId);
    expect([await click(4_000), await click(1_000)]).toEqual(["made", "never_arrived"]);
    expect(sent()).toEqual([4_000]);
  });
});
