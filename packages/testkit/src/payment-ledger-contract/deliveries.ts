import { expect, it } from "vitest";
import type { GetLedger } from "./samples.ts";
import { claim, delivery, NOON } from "./samples.ts";

export function testDeliveries(getLedger: GetLedger): void {
  it("the ledger returns exactly the bytes of a delivery that were signed", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    await getLedger().receive([delivery("all bytes", { bytes }), delivery("nothing", { bytes: new Uint8Array() })]);
    const stored = await getLedger().delivery("endpoint-1", "digest of all bytes");
    expect(stored).toMatchObject({ endpointId: "endpoint-1", digest: "digest of all bytes", receivedAt: NOON });
    expect(Array.from(stored?.bytes ?? [])).toEqual(Array.from(bytes));
    expect((await getLedger().delivery("endpoint-1", "digest of nothing"))?.bytes).toHaveLength(0);
  });

  it("a stored delivery does not change when a caller changes the bytes that it passed or received", async () => {
    const passed = delivery("paid");
    await getLedger().receive([passed]);
    passed.bytes.fill(0);
    const received = await getLedger().delivery("endpoint-1", passed.digest);
    received?.bytes.fill(0);
    const stored = await getLedger().delivery("endpoint-1", passed.digest);
    expect(new TextDecoder().decode(stored?.bytes)).toBe("paid");
  });

  it("a delivery is identified by its endpoint and digest together", async () => {
    await getLedger().receive([delivery("paid")]);
    expect(await getLedger().delivery("endpoint-2", "digest of paid")).toBeNull();
    expect(await getLedger().delivery("endpoint-1", "digest of something else")).toBeNull();
  });

  it("a delivery creates one job that is due when the delivery arrived", async () => {
    await getLedger().receive([delivery("paid")]);
    expect(await claim(getLedger(), { now: NOON - 1 })).toEqual([]);
    const [job, ...others] = await claim(getLedger());
    expect(job).toMatchObject({ kind: "delivery", storeId: null, paymentId: null, dueAt: NOON, attempts: 1 });
    expect(job?.payload).toBe('{"endpointId":"endpoint-1","digest":"digest of paid"}');
    expect(others).toEqual([]);
  });

  it("a delivery that arrives ten times is stored once, with one job and its first arrival time", async () => {
    await getLedger().receive([delivery("paid"), delivery("paid", { receivedAt: NOON + 1 })]);
    for (let again = 0; again < 8; again += 1) await getLedger().receive([delivery("paid", { receivedAt: NOON + 2 })]);
    expect((await getLedger().delivery("endpoint-1", "digest of paid"))?.receivedAt).toBe(NOON);
    expect(await claim(getLedger(), { now: NOON + 9 })).toHaveLength(1);
  });

  it("a repeated delivery creates no second job after its first job was finished", async () => {
    await getLedger().receive([delivery("paid")]);
    const [job] = await claim(getLedger());
    await getLedger().commit({ finished: [job?.id ?? ""], timeline: [] });
    await getLedger().receive([delivery("paid")]);
    expect(await claim(getLedger(), { now: NOON + 3_600_000 })).toEqual([]);
  });

  it("a delivery is found by the transaction that it named and nothing tied to a payment, until it is processed again", async () => {
    await getLedger().receive([delivery("first"), delivery("second", { receivedAt: NOON + 1 }), delivery("other")]);
    const unrelated = { endpointId: "endpoint-1", outcome: "unrelated", paymentId: null, processedAt: NOON } as const;
    const rows = (["first", "second", "other"] as const).map((name) => {
      return { ...unrelated, digest: `digest of ${name}`, transactionId: name === "other" ? "txn_2" : "txn_1" };
    });
    await getLedger().commit({ processed: rows, timeline: [] });
    const [first, second] = rows.map(({ endpointId, digest }) => ({ endpointId, digest }));
    expect(await getLedger().unmatchedDeliveries(["txn_1", "another"])).toEqual([first, second]);
    expect(await getLedger().unmatchedDeliveries([])).toEqual([]);
    const processed = { ...unrelated, digest: "digest of first", outcome: "processed", paymentId: "p1" } as const;
    await getLedger().commit({ processed: [processed], timeline: [] });
    expect(await getLedger().unmatchedDeliveries(["txn_1"])).toEqual([second]);
  });

  it("the same bytes are stored once per endpoint", async () => {
    await getLedger().receive([delivery("paid"), delivery("paid", { endpointId: "endpoint-2" })]);
    expect(await claim(getLedger())).toHaveLength(2);
    expect(await getLedger().delivery("endpoint-2", "digest of paid")).not.toBeNull();
  });

  it("sixty concurrent deliveries are neither lost nor duplicated", async () => {
    const texts = Array.from({ length: 60 }, (_, index) => `event ${index % 6}`);
    await Promise.all(texts.map((text) => getLedger().receive([delivery(text)])));
    expect(await claim(getLedger())).toHaveLength(6);
  });

  it("receiving an empty list of deliveries does nothing", async () => {
    await getLedger().receive([]);
    expect(await claim(getLedger())).toEqual([]);
  });
}
