import { Button, toast, usePrompt } from "@medusajs/ui";
import { useState } from "react";
import type { PaymentView } from "../admin-api/payment-view.ts";
import { type ActionInput, type PaymentAction, runPaymentAction } from "./api-client.ts";
import { useTexts } from "./language.ts";
import { MoneyDecisions } from "./money-decisions.tsx";
import { SettleRefund } from "./settle-refund.tsx";
import type { AdminTexts } from "./texts.ts";

type Props = { readonly payment: PaymentView; readonly onChange: (payment: PaymentView) => void };

/** What a person confirms before an action: `title` names the action, `text` says what it will do. */
export type Confirmation = { readonly title: string; readonly text: string };

/** The actions on a payment. Whatever moves money or places an order names the amount and asks for confirmation. */
export function PaymentActions({ payment, onChange }: Props) {
  const { texts } = useTexts();
  const { isRunning, run } = useAction({ payment, onChange });
  const { refunds } = payment;
  const input = { seen: payment.seen };
  const confirmations = confirmationsFor(payment, texts);
  const canPlace = payment.open_cart !== null && !payment.open_cart.is_sold_out;
  return (
    <div className="flex flex-wrap gap-2">
      <MoneyDecisions
        payment={payment}
        disabled={isRunning}
        onDecide={(confirmation, decision) => run("decide", { confirmation, input: { ...input, ...decision } })}
      />
      {refunds.map(({ key, amount, can_send_again: canSendAgain, can_settle: canSettle }) => (
        <RefundActions
          key={key}
          amountToSend={canSendAgain ? amount : null}
          amountToSettle={canSettle ? amount : null}
          disabled={isRunning}
          onSendAgain={(confirmation) => run("send-again", { confirmation, input: { refund: key } })}
          onSettle={(reason) => run("settle", { input: { refund: key, reason } })}
        />
      ))}
      {canPlace && (
        <Button
          size="small"
          disabled={isRunning}
          onClick={() => run("place", { confirmation: confirmations.place, input })}
        >
          {texts.place}
        </Button>
      )}
      {payment.can_accept && (
        <Button
          size="small"
          disabled={isRunning}
          onClick={() => run("accept", { confirmation: confirmations.accept, input })}
        >
          {texts.accept}
        </Button>
      )}
      {payment.can_refund && (
        <Button
          size="small"
          variant="danger"
          disabled={isRunning}
          onClick={() => run("refund", { confirmation: confirmations.refund, input })}
        >
          {confirmations.refund.title}
        </Button>
      )}
      <Button size="small" variant="secondary" disabled={isRunning} onClick={() => run("check")}>
        {texts.check}
      </Button>
    </div>
  );
}

function confirmationsFor(payment: PaymentView, texts: AdminTexts) {
  const { amount, amount_received: received, amount_refundable: refundable, open_cart: cart } = payment;
  const paid = received ?? amount;
  const isSameTotal = cart === null || cart.total === amount;
  const left = refundable === paid ? null : refundable;
  return {
    accept: { title: texts.accept, text: texts.acceptQuestion(paid, amount, left) },
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

  async function run(
    action: PaymentAction,
    { confirmation, input = {} }: { readonly confirmation?: Confirmation; readonly input?: ActionInput } = {},
  ) {
    if (confirmation !== undefined) {
      const { title, text } = confirmation;
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
  readonly onSendAgain: (confirmation: Confirmation) => void;
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
