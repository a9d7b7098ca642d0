import { Button, Input, Text } from "@medusajs/ui";
import { useState } from "react";
import type { DecisionBody } from "../admin-api/decide-payment.ts";
import type { CandidateView } from "../admin-api/list-candidates.ts";
import type { PaymentView } from "../admin-api/payment-view.ts";
import { fetchCandidates } from "./api-client.ts";
import { formatTime, useTexts } from "./language.ts";
import type { Confirmation } from "./payment-actions.tsx";

type Props = {
  readonly payment: PaymentView;
  readonly disabled: boolean;
  /** Asks for confirmation, then decides. */
  readonly onDecide: (confirmation: Confirmation, decision: DecisionBody) => void;
};

/** What only a person can decide about the money of a payment. */
export function MoneyDecisions({ payment, disabled, onDecide }: Props) {
  const { texts } = useTexts();
  return (
    <>
      {payment.refunds.map(({ key: refundKey, amount, can_tell_outcome: canTell }) =>
        canTell ? (
          <TwoAnswers
            key={refundKey}
            question={texts.lookedInDashboard(amount)}
            answers={[texts.refundWasMade, texts.refundWasNotMade]}
            disabled={disabled}
            onAnswer={(wasMade, confirmation) => onDecide(confirmation, { kind: "looked", refundKey, wasMade })}
          />
        ) : null,
      )}
      {payment.disputes.map(({ id: disputeId, text, can_decide: canDecide }) =>
        canDecide ? (
          <TwoAnswers
            key={disputeId}
            question={text}
            answers={[texts.disputeWon, texts.disputeLost]}
            disabled={disabled}
            onAnswer={(wasWon, confirmation) =>
              onDecide(confirmation, { kind: "disputeOutcome", disputeId, outcome: wasWon ? "won" : "lost" })
            }
          />
        ) : null,
      )}
      {payment.can_name_transaction && <NameTransaction payment={payment} disabled={disabled} onDecide={onDecide} />}
      {payment.over_dispute !== null && (
        <RefundOverDispute overDispute={payment.over_dispute} disabled={disabled} onDecide={onDecide} />
      )}
      {payment.further_transactions.map(({ id: transactionId, amount_refundable: refundable }) =>
        refundable === null ? null : (
          <Button
            key={transactionId}
            size="small"
            variant="danger"
            disabled={disabled}
            onClick={() =>
              onDecide(
                { title: texts.refundFurther(refundable, transactionId), text: texts.refundQuestion(refundable) },
                { kind: "refund", transactionId },
              )
            }
          >
            {texts.refundFurther(refundable, transactionId)}
          </Button>
        ),
      )}
    </>
  );
}

type TwoAnswersProps = {
  readonly question: string;
  readonly answers: readonly [string, string];
  readonly disabled: boolean;
  /** `isFirst`: the first of the two answers was chosen. */
  readonly onAnswer: (isFirst: boolean, confirmation: Confirmation) => void;
};

function TwoAnswers({ question, answers, disabled, onAnswer }: TwoAnswersProps) {
  return (
    <div className="flex w-full flex-col gap-y-2">
      <Text size="small">{question}</Text>
      <div className="flex flex-wrap gap-2">
        {answers.map((title, index) => (
          <Button
            key={title}
            size="small"
            variant="secondary"
            disabled={disabled}
            onClick={() => onAnswer(index === 0, { title, text: question })}
          >
            {title}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** Reads the candidates from the service when the person asks for them. */
function NameTransaction({ payment, disabled, onDecide }: Props) {
  const { language, texts } = useTexts();
  const [candidates, setCandidates] = useState<readonly CandidateView[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  if (candidates === null) {
    const load = () =>
      fetchCandidates(payment.id, language).then(
        (answer) => setCandidates(answer.candidates),
        (error: unknown) => setFailure(error instanceof Error ? error.message : ""),
      );
    return (
      <>
        <Button size="small" variant="secondary" disabled={disabled} onClick={() => void load()}>
          {texts.nameTransaction}
        </Button>
        {failure !== null && <Text size="small">{`${texts.failed} ${failure}`}</Text>}
      </>
    );
  }
  if (candidates.length === 0) return <Text size="small">{texts.noCandidates}</Text>;
  return (
    <ul className="flex w-full flex-col gap-y-2">
      {candidates.map(({ id: transactionId, amount, method, at }) => (
        <li key={transactionId} className="flex flex-wrap items-center gap-2">
          <Text size="small">
            {[transactionId, amount, method, formatTime(at, language)].filter((part) => part !== null).join(" · ")}
          </Text>
          <Button
            size="small"
            variant="secondary"
            disabled={disabled}
            onClick={() =>
              onDecide(
                { title: texts.thisTransaction, text: texts.transactionQuestion(transactionId, amount) },
                { kind: "nameTransaction", transactionId },
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

type OverDisputeProps = Pick<Props, "disabled" | "onDecide"> & {
  readonly overDispute: NonNullable<PaymentView["over_dispute"]>;
};

/** The second step after a refund that was refused because of a dispute: the person names the amount and confirms. */
function RefundOverDispute({ overDispute, disabled, onDecide }: OverDisputeProps) {
  const { texts } = useTexts();
  const { at_most: atMost, decimal, disputed } = overDispute;
  const [amount, setAmount] = useState<string | null>(null);
  if (amount === null) {
    return (
      <Button size="small" variant="secondary" disabled={disabled} onClick={() => setAmount(decimal)}>
        {texts.refundOverDispute}…
      </Button>
    );
  }
  const confirmation = { title: texts.refundOverDispute, text: texts.overDisputeQuestion(amount, disputed) };
  return (
    <div className="flex w-full flex-col gap-y-2">
      <Text size="small">{texts.overDisputeHint(disputed, atMost)}</Text>
      <div className="flex flex-wrap gap-2">
        <Input
          size="small"
          inputMode="decimal"
          aria-label={texts.amount}
          value={amount}
          onChange={({ target }) => setAmount((target as unknown as { value: string }).value)}
        />
        <Button
          size="small"
          variant="danger"
          disabled={disabled}
          onClick={() => onDecide(confirmation, { kind: "refund", amount, overDispute: true })}
        >
          {texts.refundOverDispute}
        </Button>
        <Button size="small" variant="transparent" onClick={() => setAmount(null)}>
          {texts.no}
        </Button>
      </div>
    </div>
  );
}
