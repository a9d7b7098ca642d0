import type { KeptDelivery, Ledger, OrderRef } from "@tillkit/core";
import { everyPage } from "../every-page.ts";
import { type Contact, namesContact } from "./contact.ts";

/** `orders`: each once, newest first. `nobodys`: webhooks that name the customer and belong to no payment of ours. */
export type CustomerTrace = { readonly orders: readonly OrderRef[]; readonly nobodys: number };

/**
 * The orders whose webhooks name this customer. A ledger knows no customers, only what the service wrote about them: every
 * body that is still kept is read. What was pruned names nobody any more.
 * @param looked called now and then with the number of webhooks read so far
 */
export async function findCustomer(
  ledger: Ledger,
  contact: Contact,
  looked: (count: number) => void = () => {},
): Promise<CustomerTrace> {
  const orders = new Map<string, OrderRef>();
  let nobodys = 0;
  let count = 0;
  for await (const deliveries of everyPage((pages) => ledger.listDeliveries(pages))) {
    for (const delivery of deliveries) {
      if (!(await names(ledger, delivery, contact))) continue;
      const payment = delivery.paymentId === null ? null : await ledger.find({ id: delivery.paymentId });
      if (payment === null) nobodys += 1;
      else orders.set(JSON.stringify([payment.ref.storeId, payment.ref.orderId]), payment.ref);
    }
    count += deliveries.length;
    looked(count);
  }
  return { orders: [...orders.values()], nobodys };
}

async function names(ledger: Ledger, { endpointId, digest, bytes }: KeptDelivery, contact: Contact): Promise<boolean> {
  const kept = bytes === 0 ? null : await ledger.delivery(endpointId, digest);
  return kept !== null && namesContact(kept.bytes, contact);
}

/** Every order of a store that has a payment, each once, newest first. */
export async function* ordersOf(ledger: Ledger, storeId: string): AsyncGenerator<OrderRef> {
  const seen = new Set<string>();
  for await (const payments of everyPage((pages) => ledger.listPayments({ storeId, ...pages }))) {
    for (const { ref } of payments) {
      if (!seen.has(ref.orderId)) yield ref;
      seen.add(ref.orderId);
    }
  }
}
