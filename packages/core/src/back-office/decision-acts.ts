import { formatMoney, type Money } from "../domain/money.ts";
import type { OperatorAct } from "../ports/operator-acts.ts";
import type { Choice, View } from "./decision.ts";
import { offerFor } from "./offers.ts";

type RefundChoice = Extract<Choice, { kind: "refund" }>;

/** How the log of acts names a decision. `detail` holds nothing that a person wrote. */
export function actOf(choice: Choice, view: View): Pick<OperatorAct, "act" | "detail"> {
  const { payment, movements } = view;
  switch (choice.kind) {
    case "accept":
      return { act: "accept", detail: payment.finding?.code ?? "" };
    case "refund":
      return { act: "refund", detail: refundDetail(choice, view) };
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
    return refund ? formatMoney(refund.amount, "en") : "";
  }
}

// Anything else is no id of the service, and stays out of the log of acts.
const ID = /^[\w-]{1,64}$/;

function refundDetail(choice: RefundChoice, view: View): string {
  const { amount, reason = "", overDispute } = choice;
  const offer = offerFor(view, choice);
  const refunded: Money | undefined = amount ?? offer?.max;
  const disputed = overDispute && offer?.overDispute?.disputed;
  const over = disputed ? `, over a dispute of ${formatMoney(disputed, "en")}` : "";
  return `${refunded ? formatMoney(refunded, "en") : ""} ${reason}`.trim() + over;
}
