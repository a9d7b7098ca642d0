import { PaymentCard } from "./payment-card.tsx";
import { usePayments } from "./payments-api.ts";
import { useTexts } from "./texts.ts";

/** The block on an order's page: every payment of the order. */
export function OrderPayments({ orderCode }: { readonly orderCode: string | undefined }) {
  const texts = useTexts();
  const { payments, error, accept, refund } = usePayments(orderCode ?? "");
  if (error !== null) return <p role="alert">{error}</p>;
  if (payments?.length === 0) return <p>{texts.noPayment}</p>;
  return (
    <>
      {payments?.map((payment) => (
        <PaymentCard key={payment.id} payment={payment} accept={accept} refund={refund} />
      ))}
    </>
  );
}
