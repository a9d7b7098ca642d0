import { Button, toast, usePrompt } from "@medusajs/ui";
import { useState } from "react";
import type { PaymentView } from "../admin-api/payment-view.ts";
import { type ActionInput, type PaymentAction, runPaymentAction } from "./api-client.ts";
import { useTexts } from "./language.ts";
import { SettleRefund } from "./settle-refund.tsx";
import type { AdminTexts } from "./texts.ts";

type Props = { readonly payment: PaymentView; readonly onChange: (payment: PaymentView) => void };

/** The confirmation that is asked before an action: its name and its consequence. Null: none is asked. */
type Question = { readonly title: string; readonly text: string } | null;

/** The actions on a payment. Whatever moves money or places an order names the amount and asks for confirmation. */
export function PaymentActions({ payment, onChange }: Props) {
  const { texts } = useTexts();
  const { isRunning, run } = useAction({ payment, onChange });
  const { refunds } = payment;
  const questions = questionsFor(payment, texts);
  const canPlace = payment.open_cart !== null && !payment.open_cart.is_sold_out;
  return (
    <div className="flex flex-wrap gap-2">
      {refunds.map(({ key, amount, can_send_again: canSendAgain, can_settle: canSettle }) => (
        <RefundActions
          key={key}
          amountToSend={canSendAgain ? amount : null}
          amountToSettle={canSettle ? amount : null}
          disabled={isRunning}
          onSendAgain={(question) => run("send-again", question, { refund: key })}
          onSettle={(reason) => run("settle", null, { refund: key, reason })}
        />
      ))}
      {canPlace && (
        <Button size="small" disabled={isRunning} onClick={() => run("place", questions.place)}>
          {texts.place}
        </Button>
      )}
      {payment.can_accept && (
        <Button size="small" disabled={isRunning} onClick={() => run("accept", questions.accept)}>
          {texts.accept}
        </Button>
      )}
      {payment.can_refund && (
        <Button size="small" variant="danger" disabled={isRunning} onClick={() => run("refund", questions.refund)}>
          {questions.refund.title}
        </Button>
      )}
      <Button size="small" variant="secondary" disabled={isRunning} onClick={() => run("check", null)}>
        {texts.check}
      </Button>
    </div>
  );
}

function questionsFor(payment: PaymentView, texts: AdminTexts) {
  const { amount, amount_received: received, amount_refundable: refundable, open_cart: cart } = payment;
  const paid = received ?? amount;
  const isSameTotal = cart === null || cart.total === amount;
  return {
    accept: { title: texts.accept, text: texts.acceptQuestion(paid, amount) },
    place: {
      title: texts.place,
      text: isSameTotal ? texts.placeQuestion(paid) : texts.placeOtherTotalQuestion(paid, cart.total),
    },
    refund: { title: texts.refundAmount(refundable), text: texts.refundQuestion(refundable) },
  };
}

function useAction({ payment, onChange }: Props) {
  const { language, texts } = useTexts();
  const prompt = usePrompt();
  const [isRunning, setIsRunning] = useState(false);

  async function run(action: PaymentAction, question: Question, input: ActionInput = {}) {
    if (question !== null) {
      const { title, text } = question;
      const confirmed = await prompt({ title, description: text, confirmText: title, cancelText: texts.no });
      if (!confirmed) return;
    }
    setIsRunning(true);
    try {
      const answer = await runPaymentAction(payment.id, action, language, input);
      onChange(answer.payment);
      if (action === "place" && answer.payment.order_id === null) toast.warning(texts.notPlaced);
      else toast.success(texts.done[action]);
    } catch (error) {
      toast.error(texts.failed, { description: error instanceof Error ? error.message : "" });
    } finally {
      setIsRunning(false);
    }
  }
  return { isRunning, run };
}

type RefundProps = {
  /** The amount that may be sent again; null where it may not. */
  readonly amountToSend: string | null;
  /** The amount that may count as settled; null where it may not. */
  readonly amountToSettle: string | null;
  readonly disabled: boolean;
  readonly onSendAgain: (question: Question) => void;
  readonly onSettle: (reason: string) => void;
};

/** What may be done about one failed refund. */
function RefundActions({ amountToSend, amountToSettle, disabled, onSendAgain, onSettle }: RefundProps) {
  const { texts } = useTexts();
  return (
    <>
      {amountToSend !== null && (
        <Button
          size="small"
          disabled={disabled}
          onClick={() =>
            onSendAgain({ title: texts.sendAgain(amountToSend), text: texts.sendAgainQuestion(amountToSend) })
          }
        >
          {texts.sendAgain(amountToSend)}
        </Button>
      )}
      {amountToSettle !== null && <SettleRefund amount={amountToSettle} disabled={disabled} onSettle={onSettle} />}
    </>
  );
}
