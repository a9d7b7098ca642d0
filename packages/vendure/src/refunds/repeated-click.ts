import type { Ledger } from "@tillkit/core";
import type { Refund as VendureRefund } from "@vendure/core";
import { pluginLimits } from "../limits.ts";
import { answeredAtOf, refundKeyOf } from "./refund-metadata.ts";

type Click = {
  readonly storeId: string;
  /** When the request arrived, in milliseconds since 1970. */
  readonly arrivedAt: number;
  /** The refunds of the same amount of the same payment that have not failed. */
  readonly sameAmount: readonly VendureRefund[];
};

/**
 * Whether a request for a refund repeats an earlier request. `repeated`: it arrived before the earlier request was answered, or within
 * a few seconds after the answer. However long the service takes, a click that waits for the first click is no second decision.
 * `unanswered`: the earlier refund was made, and nobody got its answer. The first request after that is answered so, once.
 */
export async function findRepeat(
  ledger: Pick<Ledger, "records">,
  { storeId, arrivedAt, sameAmount }: Click,
): Promise<"repeated" | "unanswered" | null> {
  for (const refund of sameAmount) {
    const answeredAt = answeredAtOf(refund) ?? (await readAnswer(ledger, storeId, refund));
    if (answeredAt === null) {
      await storeAnswer(ledger, storeId, refund);
      return "unanswered";
    }
    if (arrivedAt < answeredAt + pluginLimits.doubleClickMs) return "repeated";
  }
  return null;
}

// A refused request is rolled back in Vendure, so the ledger stores that the person was told.
const ANSWER = "vendure_refund_answered";

async function readAnswer({ records }: Pick<Ledger, "records">, storeId: string, refund: VendureRefund) {
  const stored = await records.get(storeId, ANSWER, refundKeyOf(refund) ?? "");
  return stored ? (stored.value as { readonly at: number }).at : null;
}

async function storeAnswer({ records }: Pick<Ledger, "records">, storeId: string, refund: VendureRefund) {
  await records.put(storeId, ANSWER, refundKeyOf(refund) ?? "", { at: Date.now() }, "new");
}
