import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createServiceClient } from "@tillkit/client";
import { expect, it, onTestFinished } from "vitest";
import { type RefundList, serviceFromClient } from "../../src/hosts.ts";
import { systemClock } from "../../src/index.ts";
import { aPayment } from "../fixture/samples.ts";

const TRANSACTION = "0b7f1c9e-6a0e-4f6e-9d6b-0c8f4f0f9b11";
const OTHER = "1c8e2d0f-7b1f-4a7f-8e7c-1d9a5a1a0c22";

type Row = Readonly<Record<string, unknown>>;

const row = (id: string, changes: Row = {}): Row => ({
  refund_id: id,
  transaction_id: TRANSACTION,
  amount: 1000,
  status: "completed",
  created_at: "2026-03-01T10:00:00.000Z",
  ...changes,
});

const rowsOfOthers = (count: number) =>
  Array.from({ length: count }, (_, index) => row(`other-${index}`, { transaction_id: OTHER }));

/** Reads the refunds of the transaction from a service that answers GET /refunds with `answer`. */
async function readFrom(
  answer: (offset: number) => unknown,
  changes: { readonly transactionCode?: string | undefined } = {},
): Promise<RefundList> {
  const server = createServer((request, response: ServerResponse) => {
    const offset = Number(new URL(request.url ?? "", "http://service").searchParams.get("cursor") ?? 0);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer(offset)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createServiceClient({ apiKey: `svc_sk_test_${"a".repeat(32)}`, baseUrl });
  const query = { transactionId: TRANSACTION, transactionCode: "txn_7K2MPQ9XW4", since: 0, deadlineMs: 5_000 };
  return await serviceFromClient(client, systemClock).readRefunds(aPayment(), { ...query, ...changes });
}

/** A list in pages of 100, whose second page skips `skipped` rows that left the first page while it was read. */
const pages =
  (rows: readonly Row[], skipped = 0) =>
  (offset: number) => {
    const end = offset + 100;
    const more = end < rows.length;
    const start = offset === 0 ? 0 : offset + skipped;
    return {
      data: rows.slice(start, start + 100),
      has_more: more,
      next_cursor: more ? String(end) : null,
      total_count: rows.length,
    };
  };

it.each<[string, Row]>([
  ["whose amount is a text", { amount: "1000" }],
  ["whose transaction is in capitals", { transaction_id: TRANSACTION.toUpperCase() }],
  ["that names the code of its transaction", { transaction_id: "txn_7K2MPQ9XW4" }],
  ["whose time names no zone", { created_at: "2026-03-01T10:00:00" }],
])("a refund %s is read as it was made", async (_what, changes) => {
  const createdAt = Date.parse("2026-03-01T10:00:00.000Z");
  const transactionId = changes.transaction_id ?? TRANSACTION;
  const refund = { id: "refund-1", status: "completed", wireAmount: 1000, createdAt, transactionId };
  const list = await readFrom(() => ({ data: [row("refund-1", changes)] }));
  expect(list).toEqual({ refunds: [refund], unassigned: [], elsewhere: [], isComplete: true });
});

it("the reason of a refund is read, because it may begin with our mark", async () => {
  const { refunds } = await readFrom(() => ({ data: [row("refund-1", { reason: "TKSAB123CD456 defect" })] }));
  expect(refunds).toMatchObject([{ reason: "TKSAB123CD456 defect" }]);
});

it.each<[string, Row]>([
  ["is missing", { amount: undefined }],
  ["is an object", { amount: { value: 1000 } }],
])("a refund whose amount %s has no amount instead of the amount 0", async (_what, changes) => {
  const { refunds } = await readFrom(() => ({ data: [row("refund-1", changes)] }));
  expect(refunds).toMatchObject([{ id: "refund-1", wireAmount: undefined }]);
});

it("a refund of a pending answer does not take the refunded amount 0 as its amount", async () => {
  const pending = row("refund-1", { amount: undefined, refunded_amount: 0, status: "pending" });
  const { refunds } = await readFrom(() => ({ data: [pending] }));
  expect(refunds).toMatchObject([{ status: "pending", wireAmount: undefined }]);
});

it.each<[string, Row]>([
  ["no transaction", { transaction_id: undefined }],
  ["its transaction by the other kind of id", { transaction_id: "txn_OTHER2222222" }],
])("a row that names %s is unassigned, and the list stays complete", async (_what, changes) => {
  const query = { transactionCode: undefined };
  const list = await readFrom(() => ({ data: [row("refund-1", changes)] }), query);
  expect(list).toMatchObject({ refunds: [], unassigned: [{ id: "refund-1", wireAmount: 1000 }], isComplete: true });
});

it("a row of another transaction is kept where its reason begins like our mark, which may name a payment that was forgotten", async () => {
  const other = { transaction_id: OTHER };
  const data = [row("refund-1", { ...other, reason: "tksab3c4de5f6 defect" }), row("refund-2", other)];
  const list = await readFrom(() => ({ data }));
  expect(list).toMatchObject({ refunds: [], unassigned: [], elsewhere: [{ id: "refund-1", transactionId: OTHER }] });
});

it("a row without a refund id is still a refund of the transaction that it names", async () => {
  const nameless = { refund_id: undefined };
  const ours = [row("", nameless), row("", nameless), row("", { ...nameless, reason: "TKSAB123CD456" })];
  const data = [...ours, row("", { ...nameless, transaction_id: OTHER })];
  const { refunds, unassigned, isComplete } = await readFrom(() => ({ data }));
  expect(refunds.map(({ id, reason }) => [id, reason])).toEqual([
    ["", undefined],
    ["", undefined],
    ["", "TKSAB123CD456"],
  ]);
  expect([unassigned, isComplete]).toEqual([[], true]);
});

it("a row that shows neither a refund id nor a transaction is unassigned with what else it shows", async () => {
  const data = [{ reason: "TKSAB123CD456" }, { amount: 700 }];
  const { refunds, unassigned, isComplete } = await readFrom(() => ({ data }));
  expect(unassigned).toMatchObject([
    { id: "", reason: "TKSAB123CD456", wireAmount: undefined },
    { id: "", wireAmount: 700 },
  ]);
  expect([refunds, isComplete]).toEqual([[], true]);
});

it.each<[string, unknown]>([
  ["has a row that shows nothing", { data: [{ status: "completed", refund_id: { value: "refund-1" } }] }],
  ["has a row that is no object", { data: ["refund-1"] }],
  ["reports more rows and names no next page", { data: [], has_more: true, next_cursor: null }],
])("a list that %s is not complete", async (_what, list) => {
  expect(await readFrom(() => list)).toEqual({ refunds: [], unassigned: [], elsewhere: [], isComplete: false });
});

it("rows without a refund id are counted once, although a list of several pages is read twice", async () => {
  const { refunds, isComplete } = await readFrom(pages([...rowsOfOthers(108), row("", { refund_id: undefined })]));
  expect([refunds.length, isComplete]).toEqual([1, true]);
});

it("a list that is an error with an empty page is no list", async () => {
  const answer = { error: { code: "internal_error", message: "try later" }, data: [] };
  await expect(readFrom(() => answer)).rejects.toMatchObject({ code: "service_unavailable" });
});

it("a refund on the second page is found, and a second page that skips it makes the list incomplete", async () => {
  const rows = [...rowsOfOthers(108), row("refund-1")];
  const { refunds, isComplete } = await readFrom(pages(rows));
  expect(refunds.map(({ id }) => id)).toEqual(["refund-1"]);
  expect(isComplete).toBe(true);
  expect(await readFrom(pages(rows, 20))).toEqual({ refunds: [], unassigned: [], elsewhere: [], isComplete: false });
});

it("a list of more than 2,000 newer refunds is not complete", async () => {
  const list = await readFrom(pages([...rowsOfOthers(2_100), row("refund-1")]));
  expect(list).toEqual({ refunds: [], unassigned: [], elsewhere: [], isComplete: false });
});
