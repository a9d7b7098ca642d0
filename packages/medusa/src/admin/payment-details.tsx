import { useState } from "react";
import type { PaymentView } from "../admin-api/payment-view.ts";
import type { TransactionView } from "../admin-api/transaction-view.ts";
import { fetchTransaction } from "./api-client.ts";
import { CopyableId, Detail } from "./detail.tsx";
import { useTexts } from "./language.ts";

/** The ids of a payment, for finding it in Medusa and at the service, with the method and the fee. Folded until it is needed. */
export function PaymentDetails({ payment }: { readonly payment: PaymentView }) {
  const { language, texts } = useTexts();
  const [transaction, setTransaction] = useState<TransactionView | null>(null);

  function load(): void {
    if (transaction !== null || payment.transaction_id === null) return;
    // Without an answer of the service, the ids are still shown.
    fetchTransaction(payment.id, language).then(setTransaction, () => undefined);
  }

  const { service_url: url } = payment;
  return (
    <details onToggle={load}>
      <summary className="txt-compact-small-plus text-ui-fg-subtle cursor-pointer">{texts.details}</summary>
      <dl className="mt-2 flex flex-col gap-y-2">
        {transaction?.method && <Detail name={texts.method}>{transaction.method}</Detail>}
        {transaction?.fee && <Detail name={texts.fee}>{transaction.fee}</Detail>}
        {transaction?.net && <Detail name={texts.net}>{transaction.net}</Detail>}
        <Detail name={texts.transaction}>
          <CopyableId id={payment.transaction_id} />
          {url !== null && (
            <a className="text-ui-fg-interactive ml-2" href={url} target="_blank" rel="noreferrer">
              {texts.openAtService}
            </a>
          )}
        </Detail>
        <Detail name={texts.checkoutSession}>
          <CopyableId id={payment.checkout_session_id} />
        </Detail>
        <Detail name={texts.payment}>
          <CopyableId id={payment.id} />
        </Detail>
        <Detail name={texts.cart}>
          <CopyableId id={payment.cart_id} />
        </Detail>
        <Detail name={texts.paymentCollection}>
          <CopyableId id={payment.payment_collection_id} />
        </Detail>
      </dl>
    </details>
  );
}
