import { Badge, Text } from "@medusajs/ui";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import type { PaymentView } from "../attention/payment-view.ts";
import { timeText, useWords } from "./language.ts";

/** Names and numbers of a payment, for whoever has to find it somewhere else. */
export function PaymentFacts({ payment }: { readonly payment: PaymentView }) {
  const { language, words } = useWords();
  return (
    <dl className="flex flex-col gap-y-2">
      <Fact name={words.order}>
        {payment.order_id === null ? (
          words.noOrder
        ) : (
          <Link className="text-ui-fg-interactive" to={`/orders/${payment.order_id}`}>
            {payment.order_name ?? payment.order_id}
          </Link>
        )}
      </Fact>
      <Fact name={words.since}>{timeText(payment.created_at, language)}</Fact>
      <Fact name={words.payment}>{payment.id}</Fact>
      <Fact name={words.session}>{payment.checkout_session_id ?? "–"}</Fact>
      <Fact name={words.transaction}>{payment.transaction_id ?? "–"}</Fact>
      <Fact name={words.cart}>{payment.payment_collection_id}</Fact>
      {payment.refunds.length > 0 && (
        <Fact name={words.refunds}>
          {payment.refunds.map(({ amount, state, refund_id: id }, index) => (
            <span className="block" key={id ?? index}>
              {amount} <Badge size="2xsmall">{words.refundStates[state] ?? state}</Badge>
            </span>
          ))}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
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
