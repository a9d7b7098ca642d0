import { describe, expect, it } from "vitest";
import { confirmPayment, limits } from "../../src/index.ts";
import { requestStoreRefund } from "../../src/store-refunds.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { acceptShown, startAndPay } from "../fixture/steps.ts";
import { francs } from "../refunds/refund-steps.ts";
import { openShop, shopOf } from "./store-steps.ts";

describe("a shop's request for a refund", () => {
  it("a click right after the answer is a repeat, and one some seconds later is a new decision", async () => {
    const { fixture, click, sent } = await openShop();
    expect(await click(1_000)).toBe("made");
    await fixture.clock.advance(limits.doubleClickMs - 1);
    expect(await click(1_000)).toBe("refund_repeated");
    await fixture.clock.advance(1);
    expect(await click(1_000)).toBe("made");
    expect(sent()).toEqual([1_000, 1_000]);
  });

  it("a click that arrived before the slow first click was answered is a repeat, however long it waited", async () => {
    const { fixture, click, sent } = await openShop();
    const askedAt = fixture.clock.now();
    await fixture.clock.advance(60_000);
    expect(await click(1_000, { askedAt })).toBe("made");
    expect(await click(1_000, { askedAt: askedAt + limits.doubleClickMs + 1_000 })).toBe("refund_repeated");
    expect(sent()).toEqual([1_000]);
  });

  it("a refund of another amount is another decision", async () => {
    const { click, sent } = await openShop();
    expect([await click(1_000), await click(1_001)]).toEqual(["made", "made"]);
    expect(sent()).toEqual([1_000, 1_001]);
  });

  it("a refund of the same amount that the service's dashboard made a moment before counts as a repeat", async () => {
    const { fixture, click, book, sent } = await openShop();
    book(["refund-9"], 1_000);
    expect(await click(1_000)).toBe("refund_repeated");
    await fixture.clock.advance(limits.doubleClickMs);
    expect(await click(1_000)).toBe("made");
    expect(sent()).toEqual([1_000]);
  });

  it("more than the shop still counts is refused with what is left", async () => {
    const { ask, click, sent } = await openShop();
    await click(4_000);
    expect(await ask(1_001)).toMatchObject({ kind: "refused", why: { kind: "too_large", most: { minor: 1_000 } } });
    expect(sent()).toEqual([4_000]);
  });

  it("a failed refund of the shop is left of the payment again", async () => {
    const { fixture, click, book } = await openShop();
    fixture.service.refuseRefunds = true;
    expect(await click(5_000)).toBe("refused_by_service");
    book(["refund-1"], 5_000, "failed");
    fixture.service.refuseRefunds = false;
    expect(await click(5_000)).toBe("made");
  });

  it("a refund that waits for an answer of the service is pending", async () => {
    const { fixture, click } = await openShop();
    fixture.service.slowRefunds = true;
    expect(await click(5_000)).toBe("pending");
  });

  it("while the service cannot be read, the request is refused and may be repeated", async () => {
    const { fixture, ask, click, sent } = await openShop();
    fixture.service.fail = "down";
    expect(await ask(1_000)).toMatchObject({ why: { kind: "service_unavailable" }, retryable: true });
    fixture.service.fail = null;
    expect(await click(1_000)).toBe("made");
    expect(sent()).toEqual([1_000]);
  });

  it("a request under the key of a refund that the shop shows is not booked a second time", async () => {
    const { fixture, click, sent } = await openShop();
    expect(await click(1_000, { key: "tab" })).toBe("made");
    await fixture.clock.advance(60_000);
    expect(await click(1_000, { key: "tab" })).toBe("refund_found");
    expect(sent()).toEqual([1_000]);
  });
});

describe("a refund whose answer was lost", () => {
  it("the next click for its amount, days later, gets that refund and sends none", async () => {
    const { fixture, click, sent } = await openShop();
    fixture.service.lostResponses = 1;
    expect(await click(1_000)).toBe("unknown");
    await fixture.clock.advance(3 * 24 * 3_600_000);
    expect(await click(1_000)).toBe("made");
    expect(sent()).toEqual([1_000]);
  });

  it("a refund that the shop rolled back after its answer is the requested one", async () => {
    const { fixture, rows, click, sent } = await openShop();
    expect(await click(1_000)).toBe("made");
    rows.pop();
    await fixture.clock.advance(60_000);
    expect(await click(1_000)).toBe("made");
    expect(sent()).toEqual([1_000]);
  });

  it("the first click after it was shown without a click is told of it, and the next decision is a new one", async () => {
    const { fixture, click, book, sent } = await openShop();
    fixture.service.lostResponses = 1;
    await click(1_000);
    await fixture.clock.advance(60_000);
    await fixture.work();
    book(["shop:1"], 1_000);
    expect(await click(1_000)).toBe("refund_found");
    expect(await click(1_000)).toBe("refund_repeated");
    await fixture.clock.advance(limits.doubleClickMs);
    expect(await click(1_000)).toBe("made");
    expect(sent()).toEqual([1_000, 1_000]);
  });

  it("a row without a name stands for a refund of its amount, so the next request is a new decision", async () => {
    const { fixture, rows, click, book, sent } = await openShop();
    expect(await click(1_000)).toBe("made");
    rows.pop();
    book([], 1_000);
    await fixture.clock.advance(60_000);
    expect(await click(1_000)).toBe("made");
    expect(sent()).toEqual([1_000, 1_000]);
  });
});

describe("an order that counts more than what arrived", () => {
  async function acceptedShortfall() {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    const session = fixture.service.sessions.get("session-1");
    if (session) session.overrides = { wireAmount: 4_000 };
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    await acceptShown(fixture, paymentId);
    await fixture.work();
    return { fixture, ...shopOf(fixture, paymentId) };
  }

  it("a refund of all that the shop counts sends back all that arrived", async () => {
    const { click, sent } = await acceptedShortfall();
    expect(await click(5_000)).toBe("made");
    expect(sent()).toEqual([4_000]);
  });

  it("what the owner refunded by hand in cash leaves what arrived as it was", async () => {
    const { fixture, click, book, sent } = await openShop();
    book([], 3_000);
    await fixture.clock.advance(60_000);
    expect(await click(5_000, { counted: 8_000 })).toBe("made");
    expect(sent()).toEqual([5_000]);
  });

  it("the rest after a partial refund is the rest of what arrived, also when its answer is lost", async () => {
    const { fixture, click, sent } = await acceptedShortfall();
    await click(1_000);
    fixture.service.lostResponses = 1;
    expect(await click(4_000)).toBe("unknown");
    await fixture.clock.advance(60_000);
    expect(await click(4_000)).toBe("made");
    expect(sent()).toEqual([1_000, 3_000]);
  });

  it("when all that arrived went back, nothing is left of what the shop still counts", async () => {
    const { click, sent } = await acceptedShortfall();
    await click(4_000);
    expect(await click(1_000)).toBe("never_arrived");
    expect(sent()).toEqual([4_000]);
  });
});

describe("a shop that repeats a request under its key and lists nothing", () => {
  async function openRepeatingShop(wireAmount = 5_000) {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    const session = fixture.service.sessions.get("session-1");
    if (session) session.overrides = { wireAmount };
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    if (wireAmount < 5_000) await acceptShown(fixture, paymentId);
    await fixture.work();
    const store = { keys: "stable", pending: "shown", list: async () => null } as const;
    async function ask(minor: number, key: string) {
      const payment = await fixture.ledger.find({ id: paymentId });
      if (!payment) throw new Error("The ledger has no such payment.");
      const request = { key, amount: francs(minor), askedAt: fixture.clock.now() };
      return await requestStoreRefund(fixture, store, payment, request);
    }
    const sent = () => fixture.service.refunds.map(({ wireAmount: sum }) => sum);
    return { fixture, ask, sent };
  }

  it("a repeated key is the same refund, and another key right after it is another one", async () => {
    const { ask, sent } = await openRepeatingShop();
    for (const key of ["1", "1", "2"]) expect(await ask(1_000, key)).toMatchObject({ kind: "made" });
    expect(sent()).toEqual([1_000, 1_000]);
  });

  it("a refund of the whole order sends back all that arrived, also when it is asked for again", async () => {
    const { fixture, ask, sent } = await openRepeatingShop(4_000);
    expect(await ask(1_000, "1")).toMatchObject({ kind: "made" });
    fixture.service.lostResponses = 1;
    expect(await ask(4_000, "2")).toMatchObject({ kind: "unknown" });
    expect(await ask(4_000, "2")).toMatchObject({ kind: "made" });
    expect(sent()).toEqual([1_000, 3_000]);
  });

  it("what another try may solve is told with its error, and more than what is left is not", async () => {
    const { fixture, ask } = await openRepeatingShop();
    fixture.service.fail = "down";
    expect(await ask(1_000, "1")).toMatchObject({ retryable: true, error: { code: "service_unavailable" } });
    fixture.service.fail = null;
    expect(await ask(5_001, "2")).toMatchObject({ retryable: false, why: { kind: "too_large" } });
  });
});
