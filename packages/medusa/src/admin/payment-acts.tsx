import { Button, toast, usePrompt } from "@medusajs/ui";
import { useState } from "react";
import type { PaymentView } from "../attention/payment-view.ts";
import { actOn, type PaymentAct } from "./ask-medusa.ts";
import { useWords } from "./language.ts";

type Props = { readonly payment: PaymentView; readonly onChange: (payment: PaymentView) => void };

/** What an owner can do about a payment. Whatever moves money or lets a difference pass asks first. */
export function PaymentActs({ payment, onChange }: Props) {
  const { language, words } = useWords();
  const prompt = usePrompt();
  const [busy, setBusy] = useState(false);

  async function act(kind: PaymentAct, question: string | null) {
    if (question !== null) {
      const confirmed = await prompt({
        title: words[kind],
        description: question,
        confirmText: words.yes,
        cancelText: words.no,
      });
      if (!confirmed) return;
    }
    setBusy(true);
    try {
      onChange((await actOn(payment.id, kind, language)).payment);
      if (kind === "check") toast.success(words.checked);
    } catch (error) {
      toast.error(words.failed, { description: error instanceof Error ? error.message : "" });
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" variant="secondary" disabled={busy} onClick={() => act("check", null)}>
        {words.check}
      </Button>
      {payment.can_accept && (
        <Button size="small" variant="secondary" disabled={busy} onClick={() => act("accept", words.acceptAsk)}>
          {words.accept}
        </Button>
      )}
      {payment.can_refund && (
        <Button size="small" variant="danger" disabled={busy} onClick={() => act("refund", words.refundAsk)}>
          {words.refund}
        </Button>
      )}
    </div>
  );
}
