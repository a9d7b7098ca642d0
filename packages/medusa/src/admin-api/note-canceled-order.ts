import { notifyOwner } from "../adapter/admin-notifications.ts";
import { noticeTexts } from "../adapter/notice-texts.ts";
import { noteForAttention } from "../refunds/attention-list.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { readCollectionIds, readDisplayId } from "../store/order.ts";
import { readPayment } from "./back-office.ts";
import { isCanceledUnrefunded } from "./payment-problem.ts";

/** Notes the payments of a canceled order that were not refunded for the admin page, and notifies the owner. */
export async function noteCanceledOrder(runtime: CheckoutRuntime, orderId: string): Promise<void> {
  const { container, ledger, options, log } = runtime;
  for (const collectionId of await readCollectionIds(container, orderId)) {
    const payments = await ledger.paymentsOfOrder({ storeId: options.storeId, orderId: collectionId });
    for (const payment of payments) {
      if (!isCanceledUnrefunded(await readPayment(runtime, payment))) continue;
      await noteForAttention(runtime, payment.id);
      const texts = noticeTexts(options.language);
      const text = texts.canceledNotRefunded((await readDisplayId(container, orderId)) ?? orderId);
      await notifyOwner(container, log, { key: `canceled:${payment.id}`, title: texts.heldPaymentTitle, text });
    }
  }
}
