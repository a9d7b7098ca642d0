import { Badge, Text } from "@medusajs/ui";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import type { PaymentView } from "../admin-api/payment-view.ts";
import { formatTime, useTexts } from "./language.ts";

/** The ids of a payment, for finding it in Medusa and in the service's dashboard. */
export function PaymentDetails({ payment }: { readonly payment: PaymentView }) {
  const { language, texts } = useTexts();
  return (
    <dl className="flex flex-col gap-y-2">
      <Detail name={texts.order}>
        {payment.order_id === null ? (
          texts.noOrder
        ) : (
          <Link className="text-ui-fg-interactive" to={`/orders/${payment.order_id}`}>
            {payment.order_name ?? payment.order_id}
          </Link>
        )}
      </Detail>
      <Detail name={texts.startedAt}>{formatTime(payment.created_at, language)}</Detail>
      <Detail name={texts.payment}>{payment.id}</Detail>
      <Detail name={texts.checkoutSession}>{payment.checkout_session_id ?? "–"}</Detail>
      <Detail name={texts.transaction}>{payment.transaction_id ?? "–"}</Detail>
      <Detail name={texts.paymentCollection}>{payment.payment_collection_id}</Detail>
      {payment.refunds.length > 0 && (
        <Detail name={texts.refunds}>
          {payment.refunds.map(({ amount, state, refund_id: id }, index) => (
            <span className="block" key={id ?? index}>
              {amount} <Badge size="2xsmall">{texts.refundStates[state] ?? state}</Badge>
            </span>
          ))}
        </Detail>
      )}
    </dl>
  );
}

function Detail({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid grid-cols-[8rem_1fr] items-start gap-x-3">
      <dt>
        <Text size="small" weight="plus" className="text-ui-fg-subtle">
          {name}
        </Text>
      </dt>
      <dd className="min-w-0">
        <Text as="div" size="small" className="break-words">
          {children}
        </Text>
      </dd>
    </div>
  );
}
