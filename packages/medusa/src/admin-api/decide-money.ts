import {
  formatMoney,
  gatherMovements,
  type Language,
  type Payment,
  parseMoney,
  transactionCandidates,
} from "@tillkit/core";
import { decideMoney, type MoneyDecision, moneyDecisions } from "@tillkit/runtime";
import { z } from "zod";
import { userError } from "../errors/user-error.ts";
import { assertRefundAccepted } from "../provider/refund.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { assertAsSeen } from "./assert-as-seen.ts";
import type { Decision } from "./seen-payment.ts";

const bodySchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("refundOutcome"), refundKey: z.string(), wasMade: z.boolean() }),
  z.object({ kind: z.literal("transaction"), transactionId: z.string() }),
  z.object({ kind: z.literal("dispute"), disputeId: z.string(), outcome: z.enum(["won", "lost"]) }),
  z.object({ kind: z.literal("refundOverDispute"), amount: z.string() }),
]);

/** What the admin page sends with a decision about money. An amount is a decimal number as text, in the payment's currency. */
export type MoneyDecisionBody = z.input<typeof bodySchema>;

/**
 * Makes a person's decision about the money of a payment: how a refund in doubt ended, which transaction paid, who won a dispute, or a
 * refund over a dispute. The decision is about what the page showed, and about nothing else.
 * @throws Error with a text for the person; CheckoutError as `decideMoney` of @tillkit/runtime does
 */
export async function decideAboutMoney(
  runtime: CheckoutRuntime,
  payment: Payment,
  { by, seen }: Decision,
  body: unknown,
): Promise<void> {
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success) throw userError("decisionOutdated");
  await runtime.refundMutex.runExclusive(payment.id, async () => {
    await assertAsSeen(runtime, await runtime.ledger.find({ id: payment.id }), seen);
    // The page's `seen` also names the open cart, which has no part in this decision.
    const movements = await gatherMovements(runtime.ledger, payment.id);
    const shown = moneyDecisions(payment, movements, runtime.engine.clock.now()).seen;
    const { data } = parsed;
    const chosen =
      data.kind === "refundOverDispute"
        ? { ...data, amount: parseMoney(data.amount, payment.amountDue.currency) }
        : data;
    const decision: MoneyDecision = { ...chosen, by, seen: shown };
    const decided = await decideMoney(runtime.engine, payment.id, decision);
    if (decided.status === "outdated") throw userError("decisionOutdated");
    assertRefundAccepted(decided.refund);
  });
}

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
