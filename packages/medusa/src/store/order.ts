import { z } from "zod";
import { type MedusaContainer, queryOf } from "./medusa-container.ts";
import type { PaymentCollection } from "./payment-collection.ts";
import { readRows } from "./read-rows.ts";

const orderSchema = z.object({ id: z.string(), display_id: z.number().nullish(), status: z.string().nullish() });
const linkSchema = z.object({ payment_collection_id: z.string() });

async function isOrderCanceled(container: MedusaContainer, orderId: string): Promise<boolean> {
  const [row] = await readRows(queryOf(container), "order", ["id", "status"], { id: orderId });
  const read = orderSchema.safeParse(row);
  return read.success && read.data.status === "canceled";
}

/** True when the collection or its order was canceled: nothing more is captured for it. */
export async function isCanceledInMedusa(
  container: MedusaContainer,
  { isCanceled, orderId }: Pick<PaymentCollection, "isCanceled" | "orderId">,
): Promise<boolean> {
  return isCanceled || (orderId !== null && (await isOrderCanceled(container, orderId)));
}

/** The order's number as people write it, `#1024`; null when it has none. */
export async function readDisplayId(container: MedusaContainer, orderId: string): Promise<string | null> {
  const [row] = await readRows(queryOf(container), "order", ["id", "display_id"], { id: orderId });
  const read = orderSchema.safeParse(row);
  return read.success && typeof read.data.display_id === "number" ? `#${read.data.display_id}` : null;
}

/** The payment collections of an order: the cart's, and one for each edit that raised the total. */
export async function readCollectionIds(container: MedusaContainer, orderId: string): Promise<readonly string[]> {
  if (orderId === "") return [];
  const fields = ["payment_collection_id"];
  const links = await readRows(queryOf(container), "order_payment_collection", fields, { order_id: orderId });
  return links.flatMap((link) => {
    const read = linkSchema.safeParse(link);
    return read.success ? [read.data.payment_collection_id] : [];
  });
}
