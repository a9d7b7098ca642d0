import type { Customer, CustomerQuery } from "@tillkit/client";
import type { Ledger, OrderRef } from "@tillkit/core";
import type { StoredDelivery } from "@tillkit/core/ledger";
import { allPages } from "@tillkit/runtime";
import { type Contact, hasContact } from "./customer.ts";

/** `orders`: each once, newest first. `unmatchedDeliveries`: how many webhooks name the customer but match no payment. */
export type CustomerTrace = { readonly orders: readonly OrderRef[]; readonly unmatchedDeliveries: number };

/** `customers.list` of the client (GET /customers). */
export type ListCustomers = (query: CustomerQuery) => AsyncIterable<Customer>;

/** The service's ids of a customer, in lower case. One person has an id for each payment method they used. */
export async function findCustomerIds(listCustomers: ListCustomers, contact: Contact): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const search = contact.by === "email" ? { search: contact.value } : {};
  for await (const row of listCustomers({ ...search, limit: 100 }))
    if (hasContact(row, contact)) ids.add(row.id.toLowerCase());
  return ids;
}

/**
 * Finds the orders whose webhooks name a customer by one of these ids. The ledger has no customers, so every stored webhook
 * body is read. Pruned bodies contain no customer.
 * @param onProgress called after each page with the number of webhooks read so far
 */
export async function findCustomer(
  ledger: Ledger,
  ids: ReadonlySet<string>,
  onProgress: (count: number) => void = () => {},
): Promise<CustomerTrace> {
  const orders = new Map<string, OrderRef>();
  let unmatchedDeliveries = 0;
  let count = 0;
  for await (const deliveries of allPages((page) => ledger.listDeliveries(page))) {
    for (const delivery of deliveries) {
      if (!(await namesCustomer(ledger, delivery, ids))) continue;
      const payment = delivery.paymentId === null ? null : await ledger.find({ id: delivery.paymentId });
      if (payment === null) unmatchedDeliveries += 1;
      else orders.set(JSON.stringify([payment.ref.storeId, payment.ref.orderId]), payment.ref);
    }
    count += deliveries.length;
    onProgress(count);
  }
  return { orders: [...orders.values()], unmatchedDeliveries };
}

async function namesCustomer(
  ledger: Ledger,
  { endpointId, digest, byteLength }: StoredDelivery,
  ids: ReadonlySet<string>,
) {
  const delivery = byteLength === 0 ? null : await ledger.delivery(endpointId, digest);
  return delivery !== null && ids.has(customerIdIn(delivery.bytes));
}

/** Events of payments, refunds, disputes and subscriptions contain the customer's id in the same field. */
function customerIdIn(body: Uint8Array): string {
  try {
    const event: { data?: { customer_id?: unknown } } = JSON.parse(new TextDecoder().decode(body));
    return String(event.data?.customer_id ?? "").toLowerCase();
  } catch {
    return "";
  }
}
