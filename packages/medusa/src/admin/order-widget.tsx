import { Container, Heading, Text } from "@medusajs/ui";
import { useEffect, useState } from "react";
import type { PaymentView } from "../admin-api/payment-view.ts";
import { fetchOrderPayments } from "./api-client.ts";
import { useTexts } from "./language.ts";
import { LoadingLine } from "./loading-line.tsx";
import { PaymentCard } from "./payment-card.tsx";

/** Shows the payments of an order on the order's page. */
export function OrderWidget({ data }: { readonly data: { readonly id: string } }) {
  const { language, texts } = useTexts();
  const [payments, setPayments] = useState<readonly PaymentView[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => {
    let isUnmounted = false;
    fetchOrderPayments(data.id, language).then(
      (answer) => isUnmounted || setPayments(answer.payments),
      (error: unknown) => isUnmounted || setFailure(error instanceof Error ? error.message : ""),
    );
    return () => {
      isUnmounted = true;
    };
  }, [data.id, language]);

  const isLoading = payments === null && failure === null;
  const isWaitingForPerson = payments?.some(({ problem, finding }) => problem !== null || finding !== null) ?? false;
  return (
    // Medusa draws widgets below its own sections. A payment that waits for a decision comes first in its column; otherwise the
    // place that the user chose with "Customize layout" counts.
    <Container className="divide-y p-0" style={isWaitingForPerson ? { order: -1 } : {}}>
      <Heading level="h2" className="px-6 py-4">
        {texts.widgetTitle}
      </Heading>
      {isLoading && <LoadingLine />}
      {failure !== null && <Text className="px-6 py-4">{`${texts.failed} ${failure}`}</Text>}
      {payments?.length === 0 && <Text className="px-6 py-4">{texts.noPayment}</Text>}
      {payments?.map((payment) => (
        <PaymentCard key={`${payment.id} ${language}`} payment={payment} isOnOrder />
      ))}
    </Container>
  );
}
