import { Button } from "@vendure/dashboard";
import { useState } from "react";
import type { Payments, ShownPayment } from "./payments-api.ts";
import { useTexts } from "./texts.ts";

type Props = Pick<Payments, "accept" | "refund"> & { readonly payment: ShownPayment };

/** One payment with its timeline and the decisions that its owner can make. */
export function PaymentCard({ payment, accept, refund }: Props) {
  const texts = useTexts();
  const [isBusy, setBusy] = useState(false);
  const { id, amount, createdAt, headline, finding, canAccept, canRefund, refunds, timeline } = payment;

  async function confirmAndDecide(decide: typeof accept, question: string): Promise<void> {
    if (!window.confirm(`${question}\n${finding ?? amount}`)) return;
    setBusy(true);
    await decide(payment);
    setBusy(false);
  }

  return (
    <div className="space-y-2 border-b py-3 last:border-b-0">
      <div className="font-medium">
        {amount} · {new Date(createdAt).toLocaleString()}
      </div>
      <p>{headline}</p>
      {finding && <p className="text-destructive">{finding}</p>}
      {refunds.length > 0 && (
        <p>
          {texts.refunds}: {refunds.map(({ amount: refunded, state }) => `${refunded} (${state})`).join(", ")}
        </p>
      )}
      <details>
        <summary>{id}</summary>
        <ul className="text-sm text-muted-foreground">
          {timeline.map(({ at, text }) => (
            <li key={`${at} ${text}`}>
              {new Date(at).toLocaleString()}: {text}
            </li>
          ))}
        </ul>
      </details>
      <div className="flex gap-2">
        {canAccept && (
          <Button disabled={isBusy} onClick={() => void confirmAndDecide(accept, texts.confirmAccept)}>
            {texts.accept}
          </Button>
        )}
        {canRefund && (
          <Button
            variant="destructive"
            disabled={isBusy}
            onClick={() => void confirmAndDecide(refund, texts.confirmRefund)}
          >
            {texts.refund}
          </Button>
        )}
      </div>
    </div>
  );
}
