import { PaymentCard } from "./payment-card.tsx";
import { usePayments } from "./payments-api.ts";
import { useTexts } from "./texts.ts";

/** The block on an order's page: every payment of the order. */
export function OrderPayments({ orderCode }: { readonly orderCode: string | undefined }) {
  const texts = useTexts();
  const { payments, error, decisions } = usePayments({ orderCode: orderCode ?? "" });
  if (payments === null && error !== null) return <p role="alert">{error}</p>;
  if (payments?.length === 0) return <p>{texts.noPayment}</p>;
  return (
    <>
      {error !== null && <p role="alert">{error}</p>}
      {payments?.map((payment) => (
        <PaymentCard key={payment.id} payment={payment} decisions={decisions} />
      ))}
    </>
  );
}
