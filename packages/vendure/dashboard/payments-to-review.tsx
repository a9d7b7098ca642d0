import { Page, PageBlock, PageLayout, PageTitle } from "@vendure/dashboard";
import { PaymentCard } from "./payment-card.tsx";
import { usePayments } from "./payments-api.ts";
import { useTexts } from "./texts.ts";

/** The page of payments that have arrived and pay no order. An owner accepts or refunds each payment here. */
export function PaymentsToReview() {
  const texts = useTexts();
  const { payments, error, accept, refund } = usePayments(null);
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
              <PaymentCard payment={payment} accept={accept} refund={refund} />
            </section>
          ))}
        </PageBlock>
      </PageLayout>
    </Page>
  );
}
