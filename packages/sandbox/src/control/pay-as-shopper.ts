import { z } from "zod";
import type { Payer } from "../customers/attach-customer.ts";
import { ApiError } from "../domain/api-error.ts";
import type { PaymentOutcome } from "../domain/payment-methods.ts";
import { paySession } from "../payments/pay-session.ts";
import { readSessionDetails } from "../payments/session-details.ts";
import { checkoutUrl, readSession } from "../payments/sessions.ts";
import { transactionJson } from "../payments/transaction-json.ts";
import { inDatabaseTransaction, type Service } from "../runtime/service.ts";
import type { SessionRow } from "../storage/payment-tables.ts";

const payRequestSchema = z.strictObject({
  method: z.enum(["card", "wave", "mtn"], { error: "must be card, wave or mtn" }),
  outcome: z.enum(["completed", "failed", "pending", "challenge"], {
    error: "must be completed, failed, pending or challenge",
  }),
  /** `true`: pays a completed session once more. */
  again: z.boolean({ error: "must be true or false" }).default(false),
});

export type PayRequest = z.input<typeof payRequestSchema>;

/**
 * Pays a session as the hosted page does. A `pending` payment waits until the control API completes or fails it.
 * @throws ApiError `bad_request`, `not_found`, `conflict`
 */
export async function paySessionAsShopper(
  service: Service,
  sessionId: string,
  request: unknown,
): Promise<Record<string, unknown>> {
  const parsed = payRequestSchema.safeParse(request);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ApiError("bad_request", `To pay, send { method, outcome }: ${issue?.path.join(".")} ${issue?.message}.`);
  }
  const { method, outcome, again } = parsed.data;
  if (outcome === "challenge" && method !== "card") {
    throw new ApiError("bad_request", "Only card payments have challenges: send method card, or outcome pending.");
  }
  const session = await readSession(service.store.database, sessionId);
  const transaction = await inDatabaseTransaction(service, (context) =>
    paySession(context, sessionId, {
      method,
      outcome: createOutcome[outcome](method),
      payer: payerOf(session),
      lastDigits: null,
      again,
    }),
  );
  const page = transaction.awaits === "challenge" ? "challenge" : "waiting";
  const url = `${checkoutUrl(service, session)}/${page}/${transaction.public_id}`;
  return {
    ...transactionJson(transaction),
    next_action: transaction.status === "pending" ? { type: "redirect", url } : null,
  };
}

const createOutcome: Record<PayRequest["outcome"], (method: PayRequest["method"]) => PaymentOutcome> = {
  completed: () => ({ status: "completed" }),
  failed: (method) => ({ status: "failed", failure: method === "card" ? "card_declined" : "customer_rejected" }),
  pending: () => ({ status: "pending", completesAutomatically: false }),
  challenge: () => ({ status: "challenge", failureAfterChallenge: null }),
};

function payerOf(session: SessionRow): Payer {
  const details = readSessionDetails(session);
  return {
    name: details.customer_name ?? "Test Shopper",
    email: details.customer_email ?? "shopper@example.test",
    phone: details.customer_phone,
    address: {},
  };
}
