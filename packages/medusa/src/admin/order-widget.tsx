import { Container, Heading, Text } from "@medusajs/ui";
import { useEffect, useState } from "react";
import type { PaymentView } from "../attention/payment-view.ts";
import { paymentsOfOrder } from "./ask-medusa.ts";
import { useWords } from "./language.ts";
import { PaymentCard } from "./payment-card.tsx";

/** Beside an order: the payments behind it, as the service tells them. */
export function OrderWidget({ data }: { readonly data: { readonly id: string } }) {
  const { language, words } = useWords();
  const [payments, setPayments] = useState<readonly PaymentView[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => {
    let isGone = false;
    paymentsOfOrder(data.id, language).then(
      (found) => isGone || setPayments(found.payments),
      (error: unknown) => isGone || setFailure(error instanceof Error ? error.message : ""),
    );
    return () => {
      isGone = true;
    };
  }, [data.id, language]);

  if (payments === null && failure === null) return null;
  return (
    <Container className="divide-y p-0">
      <Heading level="h2" className="px-6 py-4">
        {words.widget}
      </Heading>
      {failure !== null && <Text className="px-6 py-4">{`${words.failed} ${failure}`}</Text>}
      {payments?.length === 0 && <Text className="px-6 py-4">{words.noPayment}</Text>}
      {payments?.map((payment) => (
        <PaymentCard key={`${payment.id} ${language}`} payment={payment} />
      ))}
    </Container>
  );
}
