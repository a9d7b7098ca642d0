import { decimalText } from "../domain/money.ts";
import type { OperatorAct } from "../ports/operator-acts.ts";
import type { Choice, View } from "./decision.ts";

/** How the log of acts names a decision. `detail` holds nothing that a person wrote. */
export function actOf(choice: Choice, { payment, movements }: View): Pick<OperatorAct, "act" | "detail"> {
  switch (choice.kind) {
    case "accept":
      return { act: "accept", detail: payment.finding?.code ?? "" };
    case "refund":
      return {
        act: choice.overDispute === undefined ? "refund" : "refund_over_dispute",
        detail: choice.amount === null ? "" : amountOf(choice.amount),
      };
    case "nameTransaction":
      return { act: "name_transaction", detail: ID.test(choice.transactionId) ? choice.transactionId : "" };
    case "looked":
      return {
        act: choice.wasMade ? "refund_was_made" : "refund_was_not_made",
        detail: refundAmount(choice.refundKey),
      };
    case "disputeOutcome":
      return { act: `dispute_${choice.outcome}`, detail: choice.disputeId };
    case "place":
      return { act: "place", detail: "" };
    case "sendAgain":
      return { act: "refund_again", detail: refundAmount(choice.refundKey) };
    case "settledOutside":
      return { act: "settle_refund", detail: refundAmount(choice.refundKey) };
  }

  function refundAmount(refundKey: string): string {
    const refund = movements.refunds.find(({ key }) => key === refundKey);
    return refund ? amountOf(refund.amount) : "";
  }
}

// Anything else is no id of the service, and stays out of the log of acts.
const ID = /^[\w-]{1,64}$/;

function amountOf(amount: { readonly minor: number; readonly currency: string }): string {
  return `${decimalText(amount)} ${amount.currency}`;
}
