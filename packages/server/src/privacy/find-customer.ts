import type { Customer, CustomerQuery } from "@tillkit/client";
import type { Ledger, OrderRef, StoredDelivery } from "@tillkit/core";
import { allPages } from "@tillkit/runtime";
import { type Contact, hasContact } from "./customer.ts";

/** `orders`: each once, newest first. `nobodys`: webhooks that name the customer and belong to no payment of ours. */
export type CustomerTrace = { readonly orders: readonly OrderRef[]; readonly nobodys: number };

/** The client's list of customers (GET /customers). */
export type ListCustomers = (query: CustomerQuery) => AsyncIterable<Customer>;

/** The service's ids of a customer, in small letters: one person may have several, one for each way in which they ever paid. */
export async function customerIdsOf(list: ListCustomers, contact: Contact): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const search = contact.by === "email" ? { search: contact.value } : {};
  for await (const row of list({ ...search, limit: 100 })) if (hasContact(row, contact)) ids.add(row.id.toLowerCase());
  return ids;
}

/**
 * The orders whose webhooks name a customer by one of these ids. A ledger knows no customers, only what the service wrote
 * about them: every body that is still kept is read. What was pruned names nobody any more.
 * @param looked called now and then with the number of webhooks read so far
 */
export async function findCustomer(
  ledger: Ledger,
  ids: ReadonlySet<string>,
  looked: (count: number) => void = () => {},
): Promise<CustomerTrace> {
  const orders = new Map<string, OrderRef>();
  let nobodys = 0;
  let count = 0;
  for await (const deliveries of allPages((pages) => ledger.listDeliveries(pages))) {
    for (const delivery of deliveries) {
      if (!(await names(ledger, delivery, ids))) continue;
      const payment = delivery.paymentId === null ? null : await ledger.find({ id: delivery.paymentId });
      if (payment === null) nobodys += 1;
      else orders.set(JSON.stringify([payment.ref.storeId, payment.ref.orderId]), payment.ref);
    }
    count += deliveries.length;
    looked(count);
  }
  return { orders: [...orders.values()], nobodys };
}

async function names(ledger: Ledger, { endpointId, digest, byteLength }: StoredDelivery, ids: ReadonlySet<string>) {
  const kept = byteLength === 0 ? null : await ledger.delivery(endpointId, digest);
  return kept !== null && ids.has(customerIdIn(kept.bytes));
}

/** The events of a payment, a refund, a dispute and a subscription all say it in the same place. */
function customerIdIn(body: Uint8Array): string {
  try {
    const said: { data?: { customer_id?: unknown } } = JSON.parse(new TextDecoder().decode(body));
    return String(said.data?.customer_id ?? "").toLowerCase();
  } catch {
    return "";
  }
}
