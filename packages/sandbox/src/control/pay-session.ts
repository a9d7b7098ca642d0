import { z } from "zod";
import type { Payer } from "../payments/customers.ts";
import type { Outcome } from "../payments/methods.ts";
import { paySession } from "../payments/pay.ts";
import { storedTerms } from "../payments/session-terms.ts";
import { checkoutUrl, readSession } from "../payments/sessions.ts";
import { transactionJson } from "../payments/transactions.ts";
import { Refusal } from "../service/refusal.ts";
import { changeState, type Service } from "../service/service.ts";
import type { SessionRow } from "../storage/tables.ts";

const wish = z.strictObject({
  method: z.enum(["card", "wave", "mtn"], { error: "must be card, wave or mtn" }),
  outcome: z.enum(["completed", "failed", "pending", "challenge"], {
    error: "must be completed, failed, pending or challenge",
  }),
});

export type PayWish = z.input<typeof wish>;

/**
 * Pays as the hosted page would. A `pending` payment waits until the control API completes or fails it.
 * @throws Refusal `bad_request`, `not_found`, `conflict`
 */
export async function payAsTold(
  service: Service,
  sessionId: string,
  request: unknown,
): Promise<Record<string, unknown>> {
  const parsed = wish.safeParse(request);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new Refusal("bad_request", `To pay, send { method, outcome }: ${issue?.path.join(".")} ${issue?.message}.`);
  }
  const { method, outcome } = parsed.data;
  if (outcome === "challenge" && method !== "card") {
    throw new Refusal("bad_request", "Only a card is challenged: send method card, or outcome pending.");
  }
  const session = await readSession(service.store.rows, sessionId);
  const transaction = await changeState(service, (change) =>
    paySession(change, sessionId, {
      method,
      outcome: outcomes[outcome](method),
      payer: payerOf(session),
      lastDigits: null,
    }),
  );
  const page = { challenge: "challenge", approval: "waiting" }[transaction.waits_for ?? "approval"];
  const url = `${checkoutUrl(service, session)}/${page}/${transaction.public_id}`;
  return {
    ...transactionJson(transaction),
    next_action: transaction.status === "pending" ? { type: "redirect", url } : null,
  };
}

const outcomes: Record<PayWish["outcome"], (method: PayWish["method"]) => Outcome> = {
  completed: () => ({ say: "completed" }),
  failed: (method) => ({ say: "failed", failure: method === "card" ? "card_declined" : "customer_rejected" }),
  pending: () => ({ say: "pending", completesByItself: false }),
  challenge: () => ({ say: "challenge", thenFails: null }),
};

function payerOf(session: SessionRow): Payer {
  const terms = storedTerms(session);
  return {
    name: terms.customer_name ?? "Test Shopper",
    email: terms.customer_email ?? "shopper@example.test",
    phone: terms.customer_phone,
    address: {},
  };
}
