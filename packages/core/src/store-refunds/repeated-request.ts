import { limits } from "../domain/limits.ts";
import { type Money, sameMoney } from "../domain/money.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";
import type { Records } from "../ports/records.ts";
import type { ShownRefund } from "../ports/store-refunds.ts";
import { isNamed } from "./shown-refund.ts";

/**
 * When a request of a store for a refund was answered. Without such a record nobody got the answer: the process died, or the store rolled the
 * request back after the money had moved (`at` is then null). The key is our key of the refund.
 */
const KIND = "store_refund_answer";
type Answer = { readonly at: number | null };

export type AnswerLedger = { readonly records: Pick<Records, "get" | "put"> };

export async function storeAnswer(
  { records }: AnswerLedger,
  storeId: string,
  { key }: Pick<Refund, "key">,
  at: number | null,
): Promise<void> {
  const row = await records.get(storeId, KIND, key);
  // `stale`: another process has just answered a request with the same refund.
  await records.put(storeId, KIND, key, { at } satisfies Answer, row?.version ?? "new");
}

async function readAnswer({ records }: AnswerLedger, storeId: string, { key }: Refund): Promise<number | null> {
  const row = await records.get(storeId, KIND, key);
  return row ? (row.value as Answer).at : null;
}

/**
 * Runs `record`, which records a refund that the store does not show although it requested the refund. The refund counts as unanswered before
 * that: a person who asks once more must be told of it, and not be paid twice.
 */
export async function recordUnanswered(
  ledger: AnswerLedger,
  storeId: string,
  refund: Refund,
  record: () => Promise<"recorded" | "shown">,
): Promise<void> {
  const answeredAt = await readAnswer(ledger, storeId, refund);
  if (answeredAt !== null) await storeAnswer(ledger, storeId, refund, null);
  const outcome = await record();
  // The request was answered, and its transaction in the store was committed only now.
  if (outcome === "shown" && answeredAt !== null) await storeAnswer(ledger, storeId, refund, answeredAt);
}

export type RefundRequestOfStore = {
  readonly key: string;
  readonly amount: Money;
  /** When the request arrived, in milliseconds since 1970: before any wait for another request. */
  readonly askedAt: number;
  /** The person who clicked: a role or a login, never an e-mail. */
  readonly by?: string;
};

/**
 * A request for an amount for which another request was made. `refund_repeated`: it arrived before the other one was answered, or within a few
 * seconds after the answer. However long the service takes, a click that waits for the first click is no second decision. `refund_found`: the
 * other refund was made, and nobody got its answer. The first request after that is told so, once.
 */
class RepeatedRequest extends Error {
  readonly code: "refund_repeated" | "refund_found";

  constructor(code: RepeatedRequest["code"]) {
    super("This refund was requested before.");
    this.code = code;
  }
}

type Rows = { readonly known: readonly Refund[]; readonly shown: readonly ShownRefund[] };

/** @throws RepeatedRequest */
export async function assertNoRepeat(
  { engine: { clock }, ledger }: { readonly engine: Pick<Engine, "clock">; readonly ledger: AnswerLedger },
  { ref: { storeId } }: Payment,
  { key, amount, askedAt }: RefundRequestOfStore,
  { known, shown }: Rows,
): Promise<void> {
  for (const row of shown.filter((one) => one.state !== "failed" && sameMoney(one.amount, amount))) {
    // The store shows this very request already.
    if (row.names.includes(key)) throw new RepeatedRequest("refund_found");
    const { asked, isOpen } = askedFor(row, known);
    if (isOpen) continue;
    const answeredAt = asked ? await readAnswer(ledger, storeId, asked) : (row.recordedAt ?? 0);
    if (asked && answeredAt === null) await storeAnswer(ledger, storeId, asked, clock.now());
    if (answeredAt === null) throw new RepeatedRequest("refund_found");
    if (askedAt < answeredAt + limits.doubleClickMs) throw new RepeatedRequest("refund_repeated");
  }
}

// The refund that the store asked for and shows in this row. `isOpen`: the request is still under way, or the refund has failed.
function askedFor(row: ShownRefund, known: readonly Refund[]) {
  const ofRow = known.filter((refund) => refund.origin === "store" && isNamed(row, refund));
  const asked = ofRow.find(({ state }) => state === "completed" || state === "pending");
  return { asked, isOpen: asked === undefined && ofRow.length > 0 };
}
