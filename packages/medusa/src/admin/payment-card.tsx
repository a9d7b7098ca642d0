import { Badge, Heading, InlineTip, StatusBadge, Text } from "@medusajs/ui";
import { useState } from "react";
import type { PaymentView } from "../admin-api/payment-view.ts";
import { formatTime, useTexts } from "./language.ts";
import { PaymentActions } from "./payment-actions.tsx";
import { PaymentBuyer } from "./payment-buyer.tsx";
import { PaymentDetails } from "./payment-details.tsx";
import { PaymentTimeline } from "./payment-timeline.tsx";

type Props = {
  readonly payment: PaymentView;
  /** On the order's own page, which shows customer and items itself. */
  readonly isOnOrder?: boolean;
};

/** One payment: its state, who bought what, what differs, and what can be done. Ids and timeline are folded. */
export function PaymentCard({ payment: initial, isOnOrder = false }: Props) {
  const { texts } = useTexts();
  const [payment, setPayment] = useState(initial);
  const { amount, amount_received: received, problem, finding } = payment;
  const differs = received !== null && received !== amount;
  return (
    <div className="flex flex-col gap-y-3 px-6 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Heading level="h3">{differs ? texts.receivedOf(received, amount) : amount}</Heading>
        <div className="flex items-center gap-x-2">
          {payment.environment === "test" && <Badge size="2xsmall">{texts.testMode}</Badge>}
          {problem === null ? (
            <StatusBadge color={COLORS[payment.state] ?? "grey"}>
              {texts.states[payment.state] ?? payment.state}
            </StatusBadge>
          ) : (
            <StatusBadge color="red">{texts.problem}</StatusBadge>
          )}
        </div>
      </div>
      <PaymentBuyer payment={payment} isOnOrder={isOnOrder} />
      {problem !== null && (
        <InlineTip variant="error" label={texts.problemLabel}>
          {problem}
        </InlineTip>
      )}
      {finding !== null && (
        <InlineTip variant="warning" label={texts.findingLabel}>
          {finding}
        </InlineTip>
      )}
      <PaymentState payment={payment} />
      {payment.money !== null && <Text size="small">{payment.money}</Text>}
      {payment.disputes.map(({ id, text }) => (
        <Text key={id} size="small">
          {text}
        </Text>
      ))}
      {payment.further_transactions.map(({ id, amount_received: amount, money }) => (
        <Text key={id} size="small">
          {[texts.furtherTransaction(amount, id), money].filter((text) => text !== null).join(" ")}
        </Text>
      ))}
      <PaymentActions payment={payment} onChange={setPayment} />
      <PaymentDetails payment={payment} />
      <PaymentTimeline timeline={payment.timeline} />
    </div>
  );
}

/** The first of these that applies: what the payment waits for, that or how its cart changed, or its headline if nothing is wrong. */
function PaymentState({ payment }: { readonly payment: PaymentView }) {
  const { language, texts } = useTexts();
  const { amount, problem, finding, headline, waiting_for: waiting, open_cart: cart } = payment;
  if (waiting !== null) {
    const { text, retry_at: retryAt } = waiting;
    return (
      <InlineTip variant="info" label={texts.waitingLabel}>
        {retryAt === null ? text : `${text} ${texts.nextTry(formatTime(retryAt, language))}`}
      </InlineTip>
    );
  }
  if (cart?.is_sold_out) return <Text size="small">{texts.cartSoldOut}</Text>;
  if (cart && cart.total !== amount) return <Text size="small">{texts.cartCosts(cart.total)}</Text>;
  return problem === null && finding === null ? <Text size="small">{headline}</Text> : null;
}

const COLORS: Readonly<Record<string, "green" | "orange" | "red" | "blue" | "grey">> = {
  recorded: "green",
  verified: "blue",
  open: "blue",
  review: "red",
  duplicate: "red",
  refunding: "orange",
  refunded: "orange",
};
