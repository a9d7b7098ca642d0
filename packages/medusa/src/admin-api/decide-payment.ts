import { type Payment, parseTypedAmount } from "@tillkit/core";
import {
  type Choice,
  type Decided,
  type Decision,
  decide,
  explainChanged,
  refundSubjectOf,
  viewPayment,
} from "@tillkit/core/back-office";
import { z } from "zod";
import { notAllowed, notDoneError, refusalError } from "../errors/refusal.ts";
import type { AdminRequest } from "./admin-request.ts";
import { backOfficeOf } from "./back-office.ts";

const key = z.string();
const bodySchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("accept") }),
  z.object({ kind: z.literal("place") }),
  z.object({
    kind: z.literal("refund"),
    transactionId: z.string().optional(),
    amount: z.string().optional(),
    overDispute: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal("nameTransaction"), transactionId: z.string() }),
  z.object({ kind: z.literal("looked"), refundKey: key, wasMade: z.boolean() }),
  z.object({ kind: z.literal("disputeOutcome"), disputeId: z.string(), outcome: z.enum(["won", "lost"]) }),
  z.object({ kind: z.literal("sendAgain"), refundKey: key }),
  z.object({ kind: z.literal("settledOutside"), refundKey: key, reason: z.string() }),
]);

/**
 * What the admin page sends besides `seen`: the decision. Without an amount, a refund takes all that needs no second step; an amount is a decimal
 * number as text, in the currency that arrived.
 */
export type DecisionBody = z.input<typeof bodySchema>;

const seenSchema = z.object({ seen: z.string() });

/**
 * Carries out what a person decided, if the payment is as the page showed it.
 *
 * @throws MedusaError with a sentence for that person
 */
export async function decideFromBody(
  admin: AdminRequest,
  payment: Payment,
  body: unknown,
): Promise<Extract<Decided, { status: "done" }>> {
  const parsed = bodySchema.safeParse(body);
  const seen = seenSchema.safeParse(body);
  // A page of another version of the plugin offers something else.
  if (!parsed.success || !seen.success) throw notAllowed(explainChanged(admin.language));
  return await decideInMedusa(admin, payment, {
    ...(await readChoice(admin, payment, parsed.data)),
    seen: seen.data.seen,
  });
}

/** @throws MedusaError with a sentence for the person who decided */
export async function decideInMedusa(
  { runtime, language, by }: AdminRequest,
  payment: Payment,
  decision: Choice & Pick<Decision, "seen" | "id">,
): Promise<Extract<Decided, { status: "done" }>> {
  const person = { by, right: "operator", storeId: runtime.options.storeId } as const;
  const decided = await decide(backOfficeOf(runtime), { ...decision, paymentId: payment.id, person });
  if (decided.status === "done") return decided;
  throw notDoneError(runtime, payment, decided, language);
}

async function readChoice(
  { runtime, language }: AdminRequest,
  payment: Payment,
  body: z.output<typeof bodySchema>,
): Promise<Choice> {
  if (body.kind !== "refund") return body;
  const { transactionId = null, amount, overDispute } = body;
  const subject =
    amount === undefined
      ? null
      : refundSubjectOf(await viewPayment(backOfficeOf(runtime), payment), transactionId ?? "");
  const { currency } = subject?.equation.received ?? payment.amountDue;
  try {
    return {
      kind: "refund",
      transactionId,
      amount: amount === undefined ? null : parseTypedAmount(amount, currency),
      ...(overDispute === undefined ? {} : { overDispute }),
    };
  } catch {
    throw refusalError(runtime, payment, { kind: "amount_invalid" }, language);
  }
}
