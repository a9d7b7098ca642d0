import type { Payment } from "@tillkit/core";
import type { DeliveryOutcome } from "@tillkit/core/ledger";
import { expect, it } from "vitest";
import {
  claim,
  commit,
  delivery,
  type GetLedger,
  givenPayments,
  job,
  NOON,
  ORDER,
  payment,
  RECONNECT,
  refund,
  session,
  timelineEntry,
  transaction,
} from "./samples.ts";

const FINAL_STATES = ["recorded", "refunded", "closed"] as const;
const UNFINISHED_STATES = [
  "intent",
  "open",
  "superseded",
  "expired",
  "verified",
  "review",
  "duplicate",
  "refunding",
] as const;
const OTHER_ORDER = { storeId: "hats", orderId: "order-2" };
const OTHER_STORE = { storeId: "shoes", orderId: "order-1" };

/** A payment whose fields contain personal data wherever a payment can. */
export function personal(id: string, change: Partial<Payment> = {}): Payment {
  return payment(id, { state: "recorded", session: session(`cs ${id}`), ...change });
}

export function testRetention(getLedger: GetLedger): void {
  /** Receives the delivery with this text and records its outcome and its payment. */
  const recordProcessed = async (text: string, paymentId: string | null, outcome: DeliveryOutcome = "processed") => {
    await getLedger().receive([delivery(text)]);
    const processed = [
      { endpointId: "endpoint-1", digest: `digest of ${text}`, outcome, paymentId, processedAt: NOON },
    ];
    await commit(getLedger(), { processed });
    // Finish the job of the delivery.
    for (const { id } of await claim(getLedger())) await commit(getLedger(), { finished: [id] });
  };
  const bodyOf = async (text: string) => {
    const stored = await getLedger().delivery("endpoint-1", `digest of ${text}`);
    return stored === null ? null : new TextDecoder().decode(stored.bytes);
  };
  const prune = (options: { readonly before?: number; readonly limit?: number } = {}) =>
    getLedger().prune({ before: NOON + 1, limit: 100, ...options });
  const isEmpty = async (id: string) => {
    const stored = await getLedger().find({ id });
    return stored?.request === "" && (stored.session === null || stored.session.url === "");
  };

  for (const state of FINAL_STATES) {
    it(`pruning empties a ${state} payment and keeps what bookkeeping and a repeated webhook need`, async () => {
      const before = personal("p1", { state });
      await givenPayments(getLedger(), before);
      await commit(getLedger(), { refunds: [refund("r1", { state: "completed" })], timeline: [timelineEntry("paid")] });
      await recordProcessed("paid", "p1");
      expect(await prune()).toEqual({ payments: 1, deliveries: 1 });
      const emptied = { request: "", session: { ...before.session, url: "" }, version: 2 };
      expect(await getLedger().find({ id: "p1" })).toEqual({ ...before, ...emptied });
      expect(await getLedger().refunds("p1")).toEqual([refund("r1", { state: "completed", request: "" })]);
      expect(await getLedger().timeline({ paymentId: "p1" })).toEqual([timelineEntry("paid")]);
      expect(await bodyOf("paid")).toBe("");
      await getLedger().receive([delivery("paid", { receivedAt: NOON + 5 })]);
      expect(await claim(getLedger(), { now: NOON + 5 })).toEqual([]);
    });
  }

  for (const state of UNFINISHED_STATES) {
    it(`pruning and erasure never change a payment in ${state} or its webhooks`, async () => {
      const before = personal("p1", { state });
      await givenPayments(getLedger(), before);
      await recordProcessed("paid", "p1");
      expect(await prune()).toEqual({ payments: 0, deliveries: 0 });
      expect(await getLedger().eraseOrders([ORDER])).toEqual({ erased: 0, unfinished: 1 });
      expect(await getLedger().eraseStore("hats")).toEqual({ erased: 0, unfinished: 1 });
      expect(await getLedger().find({ id: "p1" })).toEqual(before);
      expect(await bodyOf("paid")).toBe("paid");
    });
  }

  it("a payment with a waiting or dead-letter job is neither pruned nor erased", async () => {
    await givenPayments(getLedger(), personal("p1"));
    await commit(getLedger(), { jobs: [job()] });
    expect(await prune()).toEqual({ payments: 0, deliveries: 0 });
    const [waiting] = await claim(getLedger());
    // A retry without a due time makes the job a dead-letter job.
    await commit(getLedger(), { retried: [{ id: waiting?.id ?? "", dueAt: null, error: RECONNECT }] });
    expect(await prune()).toEqual({ payments: 0, deliveries: 0 });
    expect(await getLedger().eraseOrders([ORDER])).toEqual({ erased: 0, unfinished: 1 });
    await commit(getLedger(), { finished: [waiting?.id ?? ""] });
    expect(await prune()).toEqual({ payments: 1, deliveries: 0 });
  });

  it("data younger than the limit is not pruned", async () => {
    await givenPayments(getLedger(), personal("p1"));
    await recordProcessed("paid", "p1");
    expect(await prune({ before: NOON })).toEqual({ payments: 0, deliveries: 0 });
    expect(await isEmpty("p1")).toBe(false);
  });

  it("an unprocessed delivery is not pruned, and a processed delivery without a payment is emptied", async () => {
    await getLedger().receive([delivery("waiting")]);
    for (const outcome of ["unrelated", "unreadable", "orphan", "endpoint_removed", "processed"] as const) {
      await getLedger().receive([delivery(outcome)]);
      const known = { endpointId: "endpoint-1", digest: `digest of ${outcome}`, paymentId: null, processedAt: NOON };
      await commit(getLedger(), { processed: [{ ...known, outcome }] });
    }
    expect(await prune()).toEqual({ payments: 0, deliveries: 5 });
    expect(await bodyOf("waiting")).toBe("waiting");
    expect(await bodyOf("unrelated")).toBe("");
  });

  it("a webhook whose transaction nothing ties to a payment yet keeps its body until something does", async () => {
    await getLedger().receive([delivery("disputed")]);
    const known = { endpointId: "endpoint-1", digest: "digest of disputed", processedAt: NOON };
    const waiting = { ...known, outcome: "unrelated", paymentId: null, transactionId: "txn_1" } as const;
    await commit(getLedger(), { processed: [waiting] });
    for (const { id } of await claim(getLedger())) await commit(getLedger(), { finished: [id] });
    expect(await prune()).toEqual({ payments: 0, deliveries: 0 });
    expect(await bodyOf("disputed")).toBe("disputed");
    await givenPayments(getLedger(), personal("p1"));
    await commit(getLedger(), { processed: [{ ...known, outcome: "processed", paymentId: "p1" }] });
    expect(await prune()).toEqual({ payments: 1, deliveries: 1 });
    expect(await bodyOf("disputed")).toBe("");
  });

  it("pruning continues with the oldest remaining payments and prunes no payment twice", async () => {
    const orders = [3, 1, 2, 4].map((number) => ({ id: `p${number}`, createdAt: NOON - 10 + number }));
    for (const { id, createdAt } of orders) {
      await givenPayments(getLedger(), personal(id, { createdAt, ref: { storeId: "hats", orderId: id } }));
      await recordProcessed(id, id);
    }
    // A payment that must stay does not block the pruning of others.
    await givenPayments(getLedger(), personal("p0", { state: "review", createdAt: NOON - 99, ref: OTHER_STORE }));
    expect(await prune({ limit: 3 })).toEqual({ payments: 3, deliveries: 3 });
    expect(await isEmpty("p4")).toBe(false);
    expect(await prune({ limit: 3 })).toEqual({ payments: 1, deliveries: 1 });
    expect(await prune({ limit: 3 })).toEqual({ payments: 0, deliveries: 0 });
  });

  it("a stale payment cannot restore pruned data", async () => {
    await givenPayments(getLedger(), personal("p1"));
    const read = await getLedger().find({ id: "p1" });
    await prune();
    if (read === null) throw new Error("The payment is gone.");
    const stale = { ...read, checks: 9, version: read.version + 1 };
    expect(await getLedger().commit({ payment: { next: stale, expect: read.version }, timeline: [] })).toBe("stale");
  });

  it("exportOrder returns everything that is stored about one order, and nothing about other orders", async () => {
    await givenPayments(
      getLedger(),
      personal("p1"),
      personal("p2", { state: "superseded" }),
      personal("p3", { ref: OTHER_ORDER }),
    );
    await commit(getLedger(), {
      transactions: [transaction("t1"), transaction("t2", { paymentId: "p2" }), transaction("t3", { paymentId: "p3" })],
      refunds: [refund("r1"), refund("r3", { paymentId: "p3" })],
      timeline: [
        timelineEntry("opened", { paymentId: "p2" }),
        timelineEntry("paid", { at: NOON + 1 }),
        timelineEntry("elsewhere", { paymentId: "p3" }),
      ],
    });
    await recordProcessed("paid « été »", "p1");
    await recordProcessed("of another", "p3");
    expect(await getLedger().exportOrder(ORDER)).toEqual({
      ref: ORDER,
      payments: [personal("p1"), personal("p2", { state: "superseded" })],
      transactions: [transaction("t1"), transaction("t2", { paymentId: "p2" })],
      refunds: [refund("r1")],
      disputes: [],
      timeline: [timelineEntry("opened", { paymentId: "p2" }), timelineEntry("paid", { at: NOON + 1 })],
      deliveries: [{ receivedAt: NOON, body: "paid « été »" }],
    });
    expect(await getLedger().exportOrder({ storeId: "hats", orderId: "unknown" })).toBeNull();
  });

  it("eraseOrders erases final payments of any age and counts the unfinished payments", async () => {
    await givenPayments(
      getLedger(),
      personal("p1"),
      personal("p2", { state: "superseded" }),
      personal("p3", { ref: OTHER_ORDER }),
      personal("p4", { ref: OTHER_STORE }),
    );
    for (const id of ["p1", "p2", "p4"]) await recordProcessed(id, id);
    expect(await getLedger().eraseOrders([ORDER, OTHER_ORDER])).toEqual({ erased: 2, unfinished: 1 });
    expect([await isEmpty("p1"), await isEmpty("p2"), await isEmpty("p3"), await isEmpty("p4")]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([await bodyOf("p1"), await bodyOf("p2"), await bodyOf("p4")]).toEqual(["", "p2", "p4"]);
  });
}
