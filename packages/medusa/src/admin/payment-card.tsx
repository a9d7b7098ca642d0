import { Badge, Heading, InlineTip, StatusBadge, Text } from "@medusajs/ui";
import { useState } from "react";
import type { PaymentView } from "../admin-api/payment-view.ts";
import { useTexts } from "./language.ts";
import { PaymentActions } from "./payment-actions.tsx";
import { PaymentDetails } from "./payment-details.tsx";
import { PaymentTimeline } from "./payment-timeline.tsx";

/** One payment: its state, what differs, its details, timeline and actions. */
export function PaymentCard({ payment: initial }: { readonly payment: PaymentView }) {
  const { texts } = useTexts();
  const [payment, setPayment] = useState(initial);
  return (
    <div className="flex flex-col gap-y-3 px-6 py-4">
      <div className="flex items-center justify-between gap-x-3">
        <Heading level="h3">{payment.amount}</Heading>
        <div className="flex items-center gap-x-2">
          {payment.environment === "test" && <Badge size="2xsmall">{texts.testMode}</Badge>}
          <StatusBadge color={COLORS[payment.state] ?? "grey"}>
            {texts.states[payment.state] ?? payment.state}
          </StatusBadge>
        </div>
      </div>
      <Text size="small">{payment.headline}</Text>
      {payment.finding !== null && (
        <InlineTip variant="warning" label={texts.findingLabel}>
          {payment.finding}
        </InlineTip>
      )}
      <PaymentDetails payment={payment} />
      <PaymentTimeline timeline={payment.timeline} />
      <PaymentActions payment={payment} onChange={setPayment} />
    </div>
  );
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
