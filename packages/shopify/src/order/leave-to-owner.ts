import { type Receipt, StoreError } from "@tillkit/core";
import { tagOrder } from "../operations/order-mutations.ts";
import { unrecordedText } from "../texts/notice-texts.ts";
import type { FoundOrder, OrderStore } from "./order-store.ts";
import { outstandingAmount } from "./to-order.ts";

/**
 * Asks the owner to record a payment whose amount differs from what the order still costs, because Shopify does not let an app
 * record it in this shop. The payment keeps counting for the order, so that nobody pays it again. It is neither refunded nor
 * recorded with another amount.
 * @throws StoreError `owner`, always: a person must act, and repeating the call changes nothing
 */
export async function leaveToOwner(store: OrderStore, { adminOrder }: FoundOrder, receipt: Receipt): Promise<never> {
  const { shop, shops, notices, graphql } = store;
  const outstanding = outstandingAmount(adminOrder);
  const text = unrecordedText(await shops.languageOf(shop), { paid: receipt.paid, outstanding });
  await notices.add(receipt.ref, `unrecorded:${receipt.paymentId}`, { kind: "hold", text });
  await graphql.call(shop, tagOrder, { id: adminOrder.id, tags: ["tillkit-review"] });
  throw new StoreError("owner", unrecordedText("en", { paid: receipt.paid, outstanding }));
}
