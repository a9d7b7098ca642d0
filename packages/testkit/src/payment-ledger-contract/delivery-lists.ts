import type { Change } from "@tillkit/core/ledger";
import { expect, it } from "vitest";
import { commit, delivery, type GetLedger, NOON, payment } from "./samples.ts";

type ProcessedDelivery = NonNullable<Change["processed"]>[number];

export function testDeliveryLists(getLedger: GetLedger): void {
  /** Records that the delivery with this text was processed. `change` replaces fields of the record. */
  const recordProcessed = (text: string, change: Partial<ProcessedDelivery> = {}) => {
    const processed: ProcessedDelivery = {
      endpointId: "endpoint-1",
      digest: `digest of ${text}`,
      outcome: "processed",
      paymentId: null,
      processedAt: NOON,
      ...change,
    };
    return commit(getLedger(), { processed: [processed] });
  };

  it("deliveries are counted by their outcome", async () => {
    expect(await getLedger().countDeliveries()).toMatchObject({ waiting: 0, processed: 0, orphan: 0 });
    await getLedger().receive(["one", "two", "three"].map((text) => delivery(text)));
    await recordProcessed("one", { paymentId: "p1" });
    await recordProcessed("two", { outcome: "unrelated" });
    expect(await getLedger().countDeliveries()).toMatchObject({ waiting: 1, processed: 1, unrelated: 1, orphan: 0 });
  });

  it("deliveries are listed newest first, page by page, with their payment and body size", async () => {
    await getLedger().receive([3, 1, 2].map((minute) => delivery(`at ${minute}`, { receivedAt: NOON + minute })));
    await recordProcessed("at 2", { paymentId: "p1" });
    const page = await getLedger().listDeliveries({ limit: 2 });
    expect(page.rows.map(({ digest }) => digest)).toEqual(["digest of at 3", "digest of at 2"]);
    expect(page.rows[1]).toEqual({
      endpointId: "endpoint-1",
      digest: "digest of at 2",
      receivedAt: NOON + 2,
      byteLength: 4,
      outcome: "processed",
      paymentId: "p1",
      event: null,
      eventAt: null,
      attempts: 0,
    });
    const rest = await getLedger().listDeliveries({ limit: 2, after: page.next ?? "" });
    expect(rest).toMatchObject({ rows: [{ digest: "digest of at 1", outcome: null, paymentId: null }], next: null });
  });

  it("paging through deliveries of the same moment returns each delivery once", async () => {
    await getLedger().receive(Array.from({ length: 7 }, (_, index) => delivery(`event ${index}`)));
    await recordProcessed("event 3", { outcome: "unreadable" });
    let page = await getLedger().listDeliveries({ limit: 2 });
    const seen = [...page.rows];
    while (page.next !== null) {
      page = await getLedger().listDeliveries({ limit: 2, after: page.next });
      seen.push(...page.rows);
    }
    expect(new Set(seen.map(({ digest }) => digest)).size).toBe(7);
    expect(seen).toHaveLength(7);
  });

  it("the delivery list filters by outcome and payment", async () => {
    await getLedger().receive(["one", "two", "three"].map((text) => delivery(text)));
    await recordProcessed("one", { paymentId: "p1" });
    await recordProcessed("two", { outcome: "orphan", paymentId: "lost" });
    const list = async (filter: object) => {
      return (await getLedger().listDeliveries({ limit: 9, ...filter })).rows.map(({ digest }) => digest);
    };
    expect(await list({ outcome: "waiting" })).toEqual(["digest of three"]);
    expect(await list({ outcome: "orphan" })).toEqual(["digest of two"]);
    expect(await list({ paymentId: "p1" })).toEqual(["digest of one"]);
    expect(await list({ paymentId: "p1", outcome: "orphan" })).toEqual([]);
  });

  it("a rejected commit records no delivery outcome, and an outcome of an unknown delivery is ignored", async () => {
    await getLedger().receive([delivery("one")]);
    const processed = [
      { endpointId: "endpoint-1", digest: "digest of one", outcome: "processed", paymentId: null, processedAt: NOON },
    ] as const;
    const stale = { next: payment("p1", { version: 3 }), expect: 2 };
    expect(await getLedger().commit({ payment: stale, processed, timeline: [] })).toBe("stale");
    expect((await getLedger().countDeliveries()).waiting).toBe(1);
    await recordProcessed("never received");
    await recordProcessed("one", { endpointId: "endpoint-2" });
    expect(await getLedger().countDeliveries()).toMatchObject({ waiting: 1, processed: 0 });
  });
}
