import { Button, toast, usePrompt } from "@medusajs/ui";
import { useState } from "react";
import type { DecisionBody } from "../admin-api/decide-payment.ts";
import type { PaymentView } from "../admin-api/payment-view.ts";
import { checkPayment, decideAbout, fetchPayment } from "./api-client.ts";
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
  const { isRunning, check, decide } = useActions({ payment, onChange });
  const confirmations = confirmationsFor(payment, texts);
  const canPlace = payment.open_cart !== null && !payment.open_cart.is_sold_out;
  return (
    <div className="flex flex-wrap gap-2">
      <MoneyDecisions payment={payment} disabled={isRunning} onDecide={decide} />
      {payment.refunds.map(({ key: refundKey, amount, can_send_again: canSendAgain, can_settle: canSettle }) => (
        <RefundActions
          key={refundKey}
          amountToSend={canSendAgain ? amount : null}
          amountToSettle={canSettle ? amount : null}
          disabled={isRunning}
          onSendAgain={(confirmation) => decide(confirmation, { kind: "sendAgain", refundKey })}
          onSettle={(reason) => decide(null, { kind: "settledOutside", refundKey, reason })}
        />
      ))}
      {canPlace && (
        <Button size="small" disabled={isRunning} onClick={() => decide(confirmations.place, { kind: "place" })}>
          {texts.place}
        </Button>
      )}
      {payment.can_accept && (
        <Button size="small" disabled={isRunning} onClick={() => decide(confirmations.accept, { kind: "accept" })}>
          {texts.accept}
        </Button>
      )}
      {payment.can_refund && (
        <Button
          size="small"
          variant="danger"
          disabled={isRunning}
          onClick={() => decide(confirmations.refund, { kind: "refund" })}
        >
          {confirmations.refund.title}
        </Button>
      )}
      <Button size="small" variant="secondary" disabled={isRunning} onClick={check}>
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

function useActions({ payment, onChange }: Props) {
  const { language, texts } = useTexts();
  const prompt = usePrompt();
  const [isRunning, setIsRunning] = useState(false);

  async function run(action: () => Promise<{ payment: PaymentView }>, showDone: (payment: PaymentView) => void) {
    setIsRunning(true);
    try {
      const answer = await action();
      onChange(answer.payment);
      showDone(answer.payment);
    } catch (error) {
      toast.error(texts.failed, { description: error instanceof Error ? error.message : "" });
      // The payment may be another one than the page shows.
      await fetchPayment(payment.id, language).then((current) => onChange(current.payment), noAnswer);
    } finally {
      setIsRunning(false);
    }
  }

  /** `confirmation`: null for a decision that asks for itself. */
  async function decide(confirmation: Confirmation | null, decision: DecisionBody) {
    if (confirmation !== null) {
      const { title, text } = confirmation;
      const confirmed = await prompt({ title, description: text, confirmText: title, cancelText: texts.no });
      if (!confirmed) return;
    }
    const isRefund = decision.kind === "refund" || decision.kind === "sendAgain";
    await run(
      () => decideAbout(payment, decision, language),
      ({ order_id: orderId, refunds }) => {
        if (decision.kind === "place" && orderId === null) toast.warning(texts.notPlaced);
        else if (isRefund && refunds.some(isUnanswered)) toast.warning(texts.refundUnanswered);
        else toast.success(texts.decided[decision.kind] ?? texts.decisionKept);
      },
    );
  }

  const check = () =>
    run(
      () => checkPayment(payment.id, language),
      () => toast.success(texts.checked),
    );
  return { isRunning, check, decide };
}

function isUnanswered({ state }: PaymentView["refunds"][number]): boolean {
  return state === "requested" || state === "unknown";
}

function noAnswer(): void {
  // The page keeps what it shows, and the person has read why the request failed.
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
