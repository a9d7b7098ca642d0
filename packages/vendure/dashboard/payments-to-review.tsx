import { Page, PageBlock, PageLayout, PageTitle } from "@vendure/dashboard";
import { PaymentCard } from "./payment-card.tsx";
import { usePayments } from "./payments-api.ts";
import { useTexts } from "./texts.ts";

/**
 * The page of payments that wait for a person: payments that pay no order, and payments about whose money a person must decide. With
 * `?payment=ID`, to which refused refunds link, it shows this payment.
 */
export function PaymentsToReview() {
  const texts = useTexts();
  const id = new URLSearchParams(window.location.search).get("payment");
  const { payments, error, decisions } = usePayments(id === null ? "toReview" : { id });
  return (
    <Page pageId="tillkit-payments">
      <PageTitle>{texts.title}</PageTitle>
      <PageLayout>
        <PageBlock column="main" blockId="tillkit-payments-to-review">
          {error !== null && <p role="alert">{error}</p>}
          {payments?.length === 0 && <p>{texts.nothingToReview}</p>}
          {payments?.map((payment) => (
            <section key={payment.id}>
              <h2 className="text-lg">
                {texts.order} {payment.orderCode}
              </h2>
              <PaymentCard payment={payment} decisions={decisions} />
            </section>
          ))}
        </PageBlock>
      </PageLayout>
    </Page>
  );
}
