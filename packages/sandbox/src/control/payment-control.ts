import { ApiError, conflict } from "../domain/api-error.ts";
import { type FailureCode, failureMessages } from "../domain/payment-methods.ts";
import { completeTransaction, expireSession, failTransaction } from "../payments/payment-outcomes.ts";
import { readSession, sessionJson } from "../payments/sessions.ts";
import { transactionJson } from "../payments/transaction-json.ts";
import { readTransaction } from "../payments/transactions.ts";
import { inDatabaseTransaction, type Service } from "../runtime/service.ts";
import { type PayRequest, paySessionAsShopper } from "./pay-as-shopper.ts";

type Json = Record<string, unknown>;

/** What shoppers and banks do to checkout sessions and transactions, and the expiry of sessions. */
export type PaymentControl = {
  /** Returns the transaction. */
  paySession(sessionId: string, input: PayRequest): Promise<Json>;
  /** Returns the session. */
  expireSession(sessionId: string): Promise<Json>;
  /** Returns the transaction. */
  completeTransaction(transactionId: string): Promise<Json>;
  /** Returns the transaction. */
  failTransaction(transactionId: string, failureCode?: FailureCode): Promise<Json>;
};

export function paymentControl(service: Service): PaymentControl {
  return {
    async paySession(sessionId, input) {
      await service.paymentScheduler.runDue();
      return paySessionAsShopper(service, sessionId, input);
    },
    async expireSession(sessionId) {
      await service.paymentScheduler.runDue();
      const session = await inDatabaseTransaction(service, async (context) => {
        const { session_id, status } = await readSession(context.database, sessionId);
        if (status !== "open")
          throw conflict(`The checkout session is ${status}`, { checkout_session_id: session_id, status });
        await expireSession(context, session_id);
        return readSession(context.database, session_id);
      });
      return sessionJson(service, session);
    },
    async completeTransaction(transactionId) {
      await service.paymentScheduler.runDue();
      return transactionJson(
        await inDatabaseTransaction(service, async (context) =>
          completeTransaction(context, await readTransaction(context.database, transactionId)),
        ),
      );
    },
    async failTransaction(transactionId, failureCode = "card_declined") {
      if (!Object.hasOwn(failureMessages, failureCode)) {
        const known = Object.keys(failureMessages).join(", ");
        throw new ApiError("bad_request", `failure_code must be one of ${known}.`);
      }
      await service.paymentScheduler.runDue();
      return transactionJson(
        await inDatabaseTransaction(service, async (context) =>
          failTransaction(context, await readTransaction(context.database, transactionId), failureCode),
        ),
      );
    },
  };
}
