import { Badge, Text } from "@medusajs/ui";
import { Link } from "react-router-dom";
import type { PaymentView } from "../admin-api/payment-view.ts";
import { Detail } from "./detail.tsx";
import { formatTime, useTexts } from "./language.ts";

type Props = { readonly payment: PaymentView; readonly isOnOrder: boolean };

/** Who paid, for what, and what was refunded. */
export function PaymentBuyer({ payment, isOnOrder }: Props) {
  const { language, texts } = useTexts();
  const { refunds } = payment;
  return (
    <dl className="flex flex-col gap-y-2">
      {!isOnOrder && <OrderDetails payment={payment} />}
      <Detail name={texts.startedAt}>{formatTime(payment.created_at, language)}</Detail>
      {refunds.length > 0 && (
        <Detail name={texts.refunds}>
          {refunds.map(({ key, amount, state, is_settled: isSettled }) => (
            <Text as="span" size="small" className="block" key={key}>
              {amount}{" "}
              <Badge size="2xsmall" color={state === "failed" && !isSettled ? "red" : "grey"}>
                {isSettled ? texts.refundSettled : (texts.refundStates[state] ?? state)}
              </Badge>
            </Text>
          ))}
        </Detail>
      )}
    </dl>
  );
}

function OrderDetails({ payment }: { readonly payment: PaymentView }) {
  const { texts } = useTexts();
  const { customer_name: name, customer_email: email, items, order_id: orderId } = payment;
  return (
    <>
      {(name ?? email) !== null && (
        <Detail name={texts.customer}>
          {name}{" "}
          {email !== null && (
            <a className="text-ui-fg-interactive" href={`mailto:${email}`}>
              {email}
            </a>
          )}
        </Detail>
      )}
      {items.length > 0 && <Detail name={texts.items}>{items.join(", ")}</Detail>}
      <Detail name={texts.order}>
        {orderId === null ? (
          texts.noOrder
        ) : (
          <Link className="text-ui-fg-interactive" to={`/orders/${orderId}`}>
            {payment.order_name ?? orderId}
          </Link>
        )}
      </Detail>
    </>
  );
}
