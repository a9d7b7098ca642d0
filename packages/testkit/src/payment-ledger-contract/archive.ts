import type { Archived, ArchiveRequest, DeliveryOutcome, PaymentHistory } from "@tillkit/core/ledger";
import { expect, it } from "vitest";
import { personal } from "./retention.ts";
import {
  claim,
  commit,
  deliveredEvent,
  delivery,
  type GetLedger,
  givenPayments,
  job,
  NOON,
  ORDER,
  RECONNECT,
  refund,
  timelineEntry,
} from "./samples.ts";

const DAY = 86_400_000;
const ARCHIVE_NAME = "archive-1.jsonl.gz";
const UNFINISHED = ["intent", "open", "superseded", "expired", "verified", "review", "duplicate", "refunding"] as const;
/** The only timeline entry that an archived payment keeps. It names the archive. */
const ARCHIVED_ENTRY = timelineEntry("archived", { at: NOON + DAY, actor: "operator", name: ARCHIVE_NAME });

export function testArchive(getLedger: GetLedger): void {
  /** Receives the delivery with this text and records its outcome and its payment. */
  const givenDelivery = async (
    text: string,
    paymentId: string | null,
    { at = NOON, outcome = "processed" }: { readonly at?: number; readonly outcome?: DeliveryOutcome } = {},
  ) => {
    await getLedger().receive([delivery(text, { receivedAt: at })]);
    const key = { endpointId: "endpoint-1", digest: `digest of ${text}` };
    const event = deliveredEvent();
    await commit(getLedger(), { processed: [{ ...key, outcome, paymentId, processedAt: at + 5, event, attempts: 2 }] });
    // Finish the job of the delivery.
    for (const { id } of await claim(getLedger(), { now: at })) await commit(getLedger(), { finished: [id] });
  };
  const archivedDelivery = (text: string, receivedAt = NOON) => {
    const known = { endpointId: "endpoint-1", digest: `digest of ${text}`, receivedAt, processedAt: receivedAt + 5 };
    return { ...known, outcome: "processed", body: text, event: "PAYMENT_SUCCEEDED", eventAt: NOON, attempts: 2 };
  };
  const isStored = async (text: string) => (await getLedger().delivery("endpoint-1", `digest of ${text}`)) !== null;
  const kindsOf = async (paymentId: string) => (await getLedger().timeline({ paymentId })).map(({ kind }) => kind);

  /** Calls `archive` until nothing is left to archive. Returns the written histories and the numbers of removed rows. */
  const archiveAll = async (change: Partial<ArchiveRequest> = {}) => {
    const written: PaymentHistory[] = [];
    const write = async (histories: readonly PaymentHistory[]) => void written.push(...histories);
    const removed = { payments: 0, deliveries: 0, timelineEntries: 0 };
    const request = { before: NOON + 1, at: NOON + DAY, name: ARCHIVE_NAME, limit: 3, write, ...change };
    let archived: Archived = await getLedger().archive(request);
    for (;;) {
      removed.payments += archived.payments;
      removed.deliveries += archived.deliveries;
      removed.timelineEntries += archived.timelineEntries;
      if (archived.next === null) return { written, removed };
      archived = await getLedger().archive({ ...request, after: archived.next });
    }
  };

  it("a webhook whose transaction nothing ties to a payment yet is not archived, because it is processed again then", async () => {
    await givenDelivery("unrelated", null, { outcome: "unrelated" });
    await getLedger().receive([delivery("disputed")]);
    const key = { endpointId: "endpoint-1", digest: "digest of disputed", processedAt: NOON };
    await commit(getLedger(), {
      processed: [{ ...key, outcome: "unrelated", paymentId: null, transactionId: "txn_1" }],
    });
    expect((await archiveAll()).removed).toMatchObject({ deliveries: 1 });
    expect(await isStored("disputed")).toBe(true);
    expect(await getLedger().unmatchedDeliveries(["txn_1"])).toHaveLength(1);
  });

  it("the history of a final payment leaves the ledger, and its amounts, refunds and details stay", async () => {
    await givenPayments(getLedger(), personal("p1"));
    await commit(getLedger(), {
      refunds: [refund("r1", { state: "completed" })],
      timeline: [timelineEntry("paid", { at: NOON - 1 }), timelineEntry("recorded")],
    });
    await givenDelivery("paid", "p1");
    const [before, details] = [await getLedger().find({ id: "p1" }), await getLedger().transactionDetails("p1")];
    expect(await archiveAll()).toEqual({
      written: [
        {
          paymentId: "p1",
          ref: ORDER,
          timeline: [timelineEntry("paid", { at: NOON - 1 }), timelineEntry("recorded")],
          deliveries: [archivedDelivery("paid")],
        },
      ],
      removed: { payments: 1, deliveries: 1, timelineEntries: 2 },
    });
    expect(await getLedger().find({ id: "p1" })).toEqual(before);
    expect(await getLedger().transactionDetails("p1")).toEqual(details);
    expect(await getLedger().refunds("p1")).toHaveLength(1);
    expect(await getLedger().timeline({ paymentId: "p1" })).toEqual([ARCHIVED_ENTRY]);
    expect((await getLedger().exportOrder(ORDER))?.timeline).toEqual([ARCHIVED_ENTRY]);
    expect((await getLedger().listDeliveries({ paymentId: "p1", limit: 9 })).rows).toEqual([]);
  });

  for (const state of UNFINISHED) {
    it(`nothing of a payment in ${state} is archived`, async () => {
      await givenPayments(getLedger(), personal("p1", { state }));
      await commit(getLedger(), { timeline: [timelineEntry("opened")] });
      await givenDelivery("created", "p1");
      expect((await archiveAll()).written).toEqual([]);
      expect([await kindsOf("p1"), await isStored("created")]).toEqual([["opened"], true]);
    });
  }

  it("a payment with a waiting or dead-letter job keeps its history until the job is finished", async () => {
    await givenPayments(getLedger(), personal("p1"));
    await commit(getLedger(), { timeline: [timelineEntry("recorded")], jobs: [job()] });
    expect((await archiveAll()).written).toEqual([]);
    const [waiting] = await claim(getLedger());
    // A retry without a due time makes the job a dead-letter job.
    await commit(getLedger(), { retried: [{ id: waiting?.id ?? "", dueAt: null, error: RECONNECT }] });
    expect((await archiveAll()).written).toEqual([]);
    await commit(getLedger(), { finished: [waiting?.id ?? ""] });
    expect((await archiveAll()).removed).toEqual({ payments: 1, deliveries: 0, timelineEntries: 1 });
  });

  it("a payment with a newer entry or webhook than the archive covers keeps its whole history", async () => {
    for (const id of ["p1", "p2"]) {
      await givenPayments(getLedger(), personal(id, { ref: { storeId: "hats", orderId: id } }));
      await commit(getLedger(), { timeline: [timelineEntry("recorded", { paymentId: id })] });
      await givenDelivery(`${id} paid`, id);
    }
    await commit(getLedger(), { timeline: [timelineEntry("refunded", { at: NOON + 9 })] });
    await givenDelivery("p2 disputed", "p2", { at: NOON + 9 });
    expect((await archiveAll()).written).toEqual([]);
    expect((await archiveAll({ before: NOON + 10 })).removed).toEqual({
      payments: 2,
      deliveries: 3,
      timelineEntries: 3,
    });
  });

  it("a later entry follows the entry of the archive, and the next archive contains both", async () => {
    await givenPayments(getLedger(), personal("p1"));
    await commit(getLedger(), { timeline: [timelineEntry("recorded")] });
    await archiveAll();
    const refunded = timelineEntry("refunded", { at: NOON + 2 * DAY });
    await commit(getLedger(), { timeline: [refunded] });
    expect(await getLedger().timeline({ paymentId: "p1" })).toEqual([ARCHIVED_ENTRY, refunded]);
    const { written } = await archiveAll({ before: NOON + 3 * DAY, at: NOON + 4 * DAY, name: "archive-2.jsonl.gz" });
    expect(written.map(({ timeline }) => timeline)).toEqual([[ARCHIVED_ENTRY, refunded]]);
    expect(await getLedger().timeline({ paymentId: "p1" })).toEqual([
      { ...ARCHIVED_ENTRY, at: NOON + 4 * DAY, name: "archive-2.jsonl.gz" },
    ]);
    // The entry of an archive alone is not archived again.
    expect((await archiveAll({ before: NOON + 9 * DAY })).written).toEqual([]);
  });

  it("processed webhooks of no known payment are archived by their age, and unprocessed webhooks stay", async () => {
    for (const outcome of ["unrelated", "unreadable", "orphan", "endpoint_removed", "processed"] as const) {
      await givenDelivery(outcome, null, { outcome });
    }
    // The ledger has no payment p9, as after an erasure.
    await givenDelivery("erased", "p9");
    await givenDelivery("young", null, { at: NOON + 1 });
    await getLedger().receive([delivery("waiting")]);
    const { written, removed } = await archiveAll();
    expect(removed).toEqual({ payments: 0, deliveries: 6, timelineEntries: 0 });
    const digests = written.flatMap(({ deliveries }) => deliveries.map(({ digest }) => digest));
    expect(new Set(digests).size).toBe(6);
    expect(written.find(({ paymentId }) => paymentId === "p9")?.ref).toBeNull();
    expect([await isStored("unrelated"), await isStored("young"), await isStored("waiting")]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it("an archive that cannot be written removes nothing, and the next archive removes everything", async () => {
    await givenPayments(getLedger(), personal("p1"));
    await commit(getLedger(), { timeline: [timelineEntry("recorded")] });
    await givenDelivery("paid", "p1");
    const failing = archiveAll({ write: () => Promise.reject(new Error("The disk is full.")) });
    await expect(failing).rejects.toThrow("The disk is full.");
    expect([await kindsOf("p1"), await isStored("paid")]).toEqual([["recorded"], true]);
    expect((await archiveAll()).removed).toEqual({ payments: 1, deliveries: 1, timelineEntries: 1 });
  });

  it("a change that is committed while an archive is written is not lost", async () => {
    const changed = personal("p2", { ref: { storeId: "hats", orderId: "order-2" } });
    await givenPayments(getLedger(), personal("p1"), changed);
    await commit(getLedger(), {
      timeline: [timelineEntry("recorded"), timelineEntry("recorded", { paymentId: "p2" })],
    });
    const late = timelineEntry("event", { at: NOON - 9 });
    let isFirstCall = true;
    const { removed } = await archiveAll({
      limit: 9,
      async write() {
        if (isFirstCall) {
          const next = { ...changed, state: "refunding", version: 2 } as const;
          await commit(getLedger(), { payment: { next, expect: 1 }, timeline: [late] });
        }
        isFirstCall = false;
      },
    });
    expect(removed).toEqual({ payments: 1, deliveries: 0, timelineEntries: 1 });
    expect(await getLedger().timeline({ paymentId: "p1" })).toEqual([late, ARCHIVED_ENTRY]);
    expect(await kindsOf("p2")).toEqual(["recorded"]);
  });

  it("two archives at once remove each row once and leave one entry", async () => {
    await givenPayments(getLedger(), personal("p1"));
    await commit(getLedger(), { timeline: [timelineEntry("recorded")] });
    await givenDelivery("paid", "p1");
    let inner: Awaited<ReturnType<typeof archiveAll>> | undefined;
    const outer = await archiveAll({
      async write() {
        inner ??= await archiveAll();
      },
    });
    expect(inner?.removed).toEqual({ payments: 1, deliveries: 1, timelineEntries: 1 });
    expect(outer.removed).toEqual({ payments: 0, deliveries: 0, timelineEntries: 0 });
    expect(await kindsOf("p1")).toEqual(["archived"]);
  });

  it("a repeated webhook whose row was archived is stored and processed like a new one", async () => {
    await givenPayments(getLedger(), personal("p1"));
    await commit(getLedger(), { timeline: [timelineEntry("recorded")] });
    await givenDelivery("paid", "p1");
    await archiveAll();
    await getLedger().receive([delivery("paid", { receivedAt: NOON + DAY })]);
    expect(await claim(getLedger(), { now: NOON + DAY })).toHaveLength(1);
    await givenDelivery("paid", "p1", { at: NOON + DAY });
    const { written } = await archiveAll({ before: NOON + 3 * DAY });
    expect(written.map(({ deliveries }) => deliveries)).toEqual([[archivedDelivery("paid", NOON + DAY)]]);
  });
}
