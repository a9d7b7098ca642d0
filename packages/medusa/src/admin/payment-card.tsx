import { Badge, Heading, InlineTip, StatusBadge, Text } from "@medusajs/ui";
import { useState } from "react";
import type { PaymentView } from "../attention/payment-view.ts";
import { useWords } from "./language.ts";
import { PaymentActs } from "./payment-acts.tsx";
import { PaymentFacts } from "./payment-facts.tsx";
import { PaymentHistory } from "./payment-history.tsx";

/** One payment, whole: where it stands, what differs, what can be done, and how it came to this. */
export function PaymentCard({ payment: given }: { readonly payment: PaymentView }) {
  const { words } = useWords();
  const [payment, setPayment] = useState(given);
  return (
    <div className="flex flex-col gap-y-3 px-6 py-4">
      <div className="flex items-center justify-between gap-x-3">
        <Heading level="h3">{payment.amount}</Heading>
        <div className="flex items-center gap-x-2">
          {payment.environment === "test" && <Badge size="2xsmall">{words.test}</Badge>}
          <StatusBadge color={COLOURS[payment.state] ?? "grey"}>
            {words.states[payment.state] ?? payment.state}
          </StatusBadge>
        </div>
      </div>
      <Text size="small">{payment.headline}</Text>
      {payment.finding !== null && (
        <InlineTip variant="warning" label={words.findingLabel}>
          {payment.finding}
        </InlineTip>
      )}
      <PaymentFacts payment={payment} />
      <PaymentHistory history={payment.history} />
      <PaymentActs payment={payment} onChange={setPayment} />
    </div>
  );
}

const COLOURS: Readonly<Record<string, "green" | "orange" | "red" | "blue" | "grey">> = {
  recorded: "green",
  verified: "blue",
  open: "blue",
  review: "red",
  duplicate: "red",
  refunding: "orange",
  refunded: "orange",
};
