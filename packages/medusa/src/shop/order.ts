import { z } from "zod";
import { type Collection, rows } from "./collection.ts";
import { type MedusaContainer, queryOf } from "./medusa-container.ts";

const orderSchema = z.object({ id: z.string(), display_id: z.number().nullish(), status: z.string().nullish() });
const linkSchema = z.object({ payment_collection_id: z.string() });

async function isOrderCanceled(container: MedusaContainer, orderId: string): Promise<boolean> {
  const [row] = await rows(queryOf(container), "order", ["id", "status"], { id: orderId });
  const read = orderSchema.safeParse(row);
  return read.success && read.data.status === "canceled";
}

/** The collection was canceled, or the order that it belongs to: no money is captured for it any more. */
export async function isGivenUp(
  container: MedusaContainer,
  { isCanceled, orderId }: Pick<Collection, "isCanceled" | "orderId">,
): Promise<boolean> {
  return isCanceled || (orderId !== null && (await isOrderCanceled(container, orderId)));
}

/** What people call an order, `#1024`; null where it has no such number. */
export async function displayIdOf(container: MedusaContainer, orderId: string): Promise<string | null> {
  const [row] = await rows(queryOf(container), "order", ["id", "display_id"], { id: orderId });
  const read = orderSchema.safeParse(row);
  return read.success && typeof read.data.display_id === "number" ? `#${read.data.display_id}` : null;
}

/** The payment collections of an order: the cart's, and one for each edit that cost more. */
export async function collectionIdsOf(container: MedusaContainer, orderId: string): Promise<readonly string[]> {
  if (orderId === "") return [];
  const fields = ["payment_collection_id"];
  const links = await rows(queryOf(container), "order_payment_collection", fields, { order_id: orderId });
  return links.flatMap((link) => {
    const read = linkSchema.safeParse(link);
    return read.success ? [read.data.payment_collection_id] : [];
  });
}
