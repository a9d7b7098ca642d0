import { Button, Input } from "@vendure/dashboard";
import { useState } from "react";
import type { Candidate, PaymentDecisions, ShownPayment } from "./payments-api.ts";
import { useTexts } from "./texts.ts";

type Props = {
  readonly payment: ShownPayment;
  readonly decisions: PaymentDecisions;
  readonly isBusy: boolean;
  /** Asks for confirmation, then decides. */
  readonly onDecide: (decide: () => Promise<void>, question: string) => Promise<void>;
};

/** What only a person can decide about the money of a payment. */
export function MoneyDecisions({ payment, decisions, isBusy, onDecide }: Props) {
  const texts = useTexts();
  return (
    <>
      {payment.refunds
        .filter(({ canTellOutcome }) => canTellOutcome)
        .map(({ key, amount }) => (
          <TwoAnswers
            key={key}
            text={texts.lookedInDashboard(amount)}
            answers={[texts.refundWasMade, texts.refundWasNotMade]}
            isBusy={isBusy}
            onAnswer={(wasMade, answer) => onDecide(() => decisions.settleRefund(payment, key, wasMade), answer)}
          />
        ))}
      {payment.disputes.map(({ id, text, canDecide }) =>
        canDecide ? (
          <TwoAnswers
            key={id}
            text={text}
            answers={[texts.disputeWon, texts.disputeLost]}
            isBusy={isBusy}
            onAnswer={(wasWon, answer) => onDecide(() => decisions.decideDispute(payment, id, wasWon), answer)}
          />
        ) : (
          <p key={id}>{text}</p>
        ),
      )}
      {payment.canNameTransaction && (
        <NameTransaction payment={payment} decisions={decisions} isBusy={isBusy} onDecide={onDecide} />
      )}
      {payment.overDispute && (
        <RefundOverDispute payment={payment} decisions={decisions} isBusy={isBusy} onDecide={onDecide} />
      )}
    </>
  );
}

type TwoAnswersProps = {
  readonly text: string;
  readonly answers: readonly [string, string];
  readonly isBusy: boolean;
  /** `isFirst`: the first of the two answers was chosen. */
  readonly onAnswer: (isFirst: boolean, answer: string) => Promise<void>;
};

function TwoAnswers({ text, answers: [first, second], isBusy, onAnswer }: TwoAnswersProps) {
  return (
    <div className="space-y-2">
      <p>{text}</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" disabled={isBusy} onClick={() => void onAnswer(true, `${text}\n${first}`)}>
          {first}
        </Button>
        <Button variant="outline" disabled={isBusy} onClick={() => void onAnswer(false, `${text}\n${second}`)}>
          {second}
        </Button>
      </div>
    </div>
  );
}

/** Reads the candidates from the service when the person asks for them. */
function NameTransaction({ payment, decisions, isBusy, onDecide }: Props) {
  const texts = useTexts();
  const [candidates, setCandidates] = useState<readonly Candidate[] | null>(null);
  if (candidates === null) {
    const load = async () => setCandidates(await decisions.candidates(payment));
    return (
      <div>
        <Button variant="outline" disabled={isBusy} onClick={() => void load()}>
          {texts.nameTransaction}
        </Button>
      </div>
    );
  }
  if (candidates.length === 0) return <p>{texts.noCandidates}</p>;
  return (
    <ul className="space-y-2">
      {candidates.map(({ id, amount, at }) => (
        <li key={id}>
          {id} · {amount} · {new Date(at).toLocaleString()}{" "}
          <Button
            variant="outline"
            disabled={isBusy}
            onClick={() =>
              void onDecide(
                () => decisions.nameTransaction(payment, id),
                `${texts.confirmTransaction}\n${id} ${amount}`,
              )
            }
          >
            {texts.thisTransaction}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** The second step after a refund that was refused because of a dispute: the person names the amount and confirms. */
function RefundOverDispute({ payment, decisions, isBusy, onDecide }: Props) {
  const texts = useTexts();
  const { overDispute } = payment;
  const [amount, setAmount] = useState<string | null>(null);
  if (overDispute === null) return null;
  const { atMost, decimal, disputed } = overDispute;
  if (amount === null) {
    return (
      <div>
        <Button variant="outline" disabled={isBusy} onClick={() => setAmount(decimal)}>
          {texts.refundOverDispute}
        </Button>
      </div>
    );
  }
  return (
    <div className="space-y-2">
      <p>{texts.overDisputeHint(disputed, atMost)}</p>
      <div className="flex flex-wrap gap-2">
        <Input
          value={amount}
          aria-label={texts.amount}
          inputMode="decimal"
          onChange={(event: { readonly target: { readonly value: string } }) => setAmount(event.target.value)}
        />
        <Button
          variant="destructive"
          disabled={isBusy}
          onClick={() =>
            void onDecide(
              () => decisions.refundOverDispute(payment, amount),
              texts.confirmOverDispute(amount, disputed),
            )
          }
        >
          {texts.refundAnyway}
        </Button>
      </div>
    </div>
  );
}
