import { describe, expect, it } from "vitest";
import { type JobTask, payloadOf, readTask } from "../../src/domain/job.ts";

/** What jobs of every version look like in a ledger. */
const STORED: readonly [task: JobTask, payload: string][] = [
  [{ kind: "confirm", why: "retry" }, ""],
  [{ kind: "confirm", why: "signal" }, "signal"],
  [{ kind: "confirm", why: "success", transactionId: undefined }, "success"],
  [{ kind: "confirm", why: "success", transactionId: "tx-1 of two" }, "success tx-1 of two"],
  [{ kind: "confirm", why: "check", at: 1_700_000_000_000 }, '{"check":1700000000000}'],
  [{ kind: "delivery", endpointId: "main", digest: "ab12" }, '{"endpointId":"main","digest":"ab12"}'],
  [{ kind: "refund", key: null }, ""],
  [{ kind: "refund", key: "rule:p1:5000" }, "rule:p1:5000"],
  [{ kind: "note", about: "duplicate" }, "duplicate"],
  [{ kind: "note", about: "dispute", key: "d1:closed:won" }, "dispute:d1:closed:won"],
  [{ kind: "note", about: "refund_failed", key: "shop:refund:1" }, "refund_failed:shop:refund:1"],
  [{ kind: "note", about: "refund_made", key: "k" }, "refund_made:k"],
  [{ kind: "hold", finding: { code: "order_gone" } }, '{"code":"order_gone"}'],
  [{ kind: "pending", transactionId: undefined }, ""],
  [{ kind: "pending", transactionId: "tx-1" }, "tx-1"],
  [{ kind: "auto-refund" }, ""],
  [{ kind: "refuse" }, ""],
  [{ kind: "reopen" }, ""],
  [{ kind: "compare" }, ""],
];

describe("the task of a job", () => {
  it.each(STORED)("%j is stored as the versions that share the ledger store it", (task, payload) => {
    expect(payloadOf(task)).toBe(payload);
  });

  it.each(STORED)("%j is read as it was stored", (task, payload) => {
    expect(readTask(task.kind, payload)).toEqual(task);
  });
});
