import { Button } from "@vendure/dashboard";
import { useState } from "react";
import { MoneyDecisions } from "./money-decisions.tsx";
import type { PaymentDecisions, ShownPayment } from "./payments-api.ts";
import { useTexts } from "./texts.ts";

type Props = { readonly payment: ShownPayment; readonly decisions: PaymentDecisions };

/** One payment with its timeline and the decisions that its owner can make. */
export function PaymentCard({ payment, decisions }: Props) {
  const texts = useTexts();
  const [isBusy, setBusy] = useState(false);
  const { id, amount, createdAt, headline, finding, money, problem, canAccept, refundable, refunds, timeline } =
    payment;
  const { furtherTransactions } = payment;

  async function confirmAndDecide(decide: () => Promise<void>, question: string): Promise<void> {
    if (!window.confirm(question)) return;
    setBusy(true);
    await decide();
    setBusy(false);
  }

  return (
    <div className="space-y-2 border-b py-3 last:border-b-0">
      <div className="font-medium">
        {amount} · {new Date(createdAt).toLocaleString()}
      </div>
      <p>{headline}</p>
      {finding && <p className="text-destructive">{finding}</p>}
      {problem && <p className="text-destructive">{problem}</p>}
      {money && <p>{money}</p>}
      {refunds.length > 0 && (
        <p>
          {texts.refunds}{" "}
          {refunds
            .map(({ amount: refunded, state }) => `${refunded} (${texts.refundStates[state] ?? state})`)
            .join(", ")}
        </p>
      )}
      <details>
        <summary>{texts.history}</summary>
        <ul className="text-sm text-muted-foreground">
          {timeline.map(({ at, text }) => (
            <li key={`${at} ${text}`}>
              {new Date(at).toLocaleString()}: {text}
            </li>
          ))}
          <li className="break-all font-mono">{id}</li>
        </ul>
      </details>
      <div className="flex flex-wrap gap-2">
        {canAccept && (
          <Button
            disabled={isBusy}
            onClick={() =>
              void confirmAndDecide(() => decisions.accept(payment), `${texts.confirmAccept}\n${finding ?? amount}`)
            }
          >
            {texts.accept}
          </Button>
        )}
        {refundable !== null && (
          <Button
            variant="outline"
            disabled={isBusy}
            onClick={() =>
              void confirmAndDecide(() => decisions.refund(payment, null), texts.confirmRefund(refundable))
            }
          >
            {texts.refund(refundable)}
          </Button>
        )}
      </div>
      {furtherTransactions.map(({ id: transaction, amount: further, money: ofTransaction, refundable: rest }) => (
        <div key={transaction} className="space-y-2">
          <p className="break-words">
            {texts.furtherTransaction(further, transaction)} {ofTransaction}
          </p>
          {rest !== null && (
            <Button
              variant="outline"
              aria-label={texts.refundFurther(rest, transaction)}
              disabled={isBusy}
              onClick={() =>
                void confirmAndDecide(() => decisions.refund(payment, transaction), texts.confirmRefund(rest))
              }
            >
              {texts.refund(rest)}
            </Button>
          )}
        </div>
      ))}
      <MoneyDecisions payment={payment} decisions={decisions} isBusy={isBusy} onDecide={confirmAndDecide} />
    </div>
  );
}
