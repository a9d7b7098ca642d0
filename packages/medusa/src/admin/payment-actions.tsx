import { Button, toast, usePrompt } from "@medusajs/ui";
import { useState } from "react";
import type { PaymentView } from "../admin-api/payment-view.ts";
import { type PaymentAction, runPaymentAction } from "./api-client.ts";
import { useTexts } from "./language.ts";

type Props = { readonly payment: PaymentView; readonly onChange: (payment: PaymentView) => void };

/** The actions on a payment. Refunding and accepting a difference ask for confirmation. */
export function PaymentActions({ payment, onChange }: Props) {
  const { language, texts } = useTexts();
  const prompt = usePrompt();
  const [isRunning, setIsRunning] = useState(false);

  async function run(action: PaymentAction, question: string | null) {
    if (question !== null) {
      const confirmed = await prompt({
        title: texts[action],
        description: question,
        confirmText: texts.yes,
        cancelText: texts.no,
      });
      if (!confirmed) return;
    }
    setIsRunning(true);
    try {
      onChange((await runPaymentAction(payment.id, action, language)).payment);
      if (action === "check") toast.success(texts.checked);
    } catch (error) {
      toast.error(texts.failed, { description: error instanceof Error ? error.message : "" });
    } finally {
      setIsRunning(false);
    }
  }

  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" variant="secondary" disabled={isRunning} onClick={() => run("check", null)}>
        {texts.check}
      </Button>
      {payment.can_accept && (
        <Button
          size="small"
          variant="secondary"
          disabled={isRunning}
          onClick={() => run("accept", texts.acceptQuestion)}
        >
          {texts.accept}
        </Button>
      )}
      {payment.can_refund && (
        <Button size="small" variant="danger" disabled={isRunning} onClick={() => run("refund", texts.refundQuestion)}>
          {texts.refund}
        </Button>
      )}
    </div>
  );
}
