import { formatMoney, type Language, type Payment } from "@tillkit/core";
import { transactionCandidates } from "@tillkit/core/back-office";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";

/** A transaction that may have paid a payment. `at`: milliseconds since 1970. */
export type CandidateView = {
  readonly id: string;
  readonly amount: string;
  readonly method: string | null;
  readonly at: number;
};

/** The transactions that may have paid a payment that names none, as the service shows them now. */
export async function listCandidates(
  { engine }: CheckoutRuntime,
  { id }: Payment,
  language: Language,
): Promise<readonly CandidateView[]> {
  const candidates = await transactionCandidates(engine, id);
  return candidates.map(({ id: transaction, amount, provider, at }) => ({
    id: transaction,
    amount: formatMoney(amount, language),
    method: provider,
    at,
  }));
}
