import { Button, toast, usePrompt } from "@medusajs/ui";
import { useState } from "react";
import type { PaymentView } from "../admin-api/payment-view.ts";
import { type PaymentAction, runPaymentAction } from "./api-client.ts";
import { useTexts } from "./language.ts";

type Props = { readonly payment: PaymentView; readonly onChange: (payment: PaymentView) => void };

/** What `run` asks for confirmation: the name of the action and what follows from it. Null asks nothing. */
type Question = { readonly title: string; readonly text: string } | null;

/** The actions on a payment. Whatever moves money or places an order names the amount and asks for confirmation. */
export function PaymentActions({ payment, onChange }: Props) {
  const { language, texts } = useTexts();
  const prompt = usePrompt();
  const [isRunning, setIsRunning] = useState(false);

  async function run(action: PaymentAction, question: Question, refund?: string) {
    if (question !== null) {
      const { title, text } = question;
      const confirmed = await prompt({ title, description: text, confirmText: title, cancelText: texts.no });
      if (!confirmed) return;
    }
    setIsRunning(true);
    try {
      onChange((await runPaymentAction(payment.id, action, language, refund)).payment);
      toast.success(texts.done[action]);
    } catch (error) {
      toast.error(texts.failed, { description: error instanceof Error ? error.message : "" });
    } finally {
      setIsRunning(false);
    }
  }

  const { amount, amount_received: received, amount_refundable: refundable, refunds } = payment;
  const accept = { title: texts.accept, text: texts.acceptQuestion(received ?? amount, amount) };
  const refund = { title: texts.refundAmount(refundable), text: texts.refundQuestion(refundable) };
  return (
    <div className="flex flex-wrap gap-2">
      {refunds
        .filter((one) => one.can_send_again)
        .map(({ key, amount: failed }) => {
          const again = { title: texts.sendAgain(failed), text: texts.sendAgainQuestion(failed) };
          return (
            <Button key={key} size="small" disabled={isRunning} onClick={() => run("send-again", again, key)}>
              {again.title}
            </Button>
          );
        })}
      {payment.can_accept && (
        <Button size="small" disabled={isRunning} onClick={() => run("accept", accept)}>
          {accept.title}
        </Button>
      )}
      {payment.can_refund && (
        <Button size="small" variant="danger" disabled={isRunning} onClick={() => run("refund", refund)}>
          {refund.title}
        </Button>
      )}
      <Button size="small" variant="secondary" disabled={isRunning} onClick={() => run("check", null)}>
        {texts.check}
      </Button>
    </div>
  );
}
