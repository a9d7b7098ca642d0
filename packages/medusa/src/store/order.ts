import { z } from "zod";
import { type MedusaContainer, queryOf } from "./medusa-container.ts";
import type { PaymentCollection } from "./payment-collection.ts";
import { readRows } from "./read-rows.ts";

const orderSchema = z.object({ id: z.string(), display_id: z.number().nullish(), status: z.string().nullish() });
const linkSchema = z.object({ payment_collection_id: z.string() });

async function isOrderCanceled(container: MedusaContainer, orderId: string): Promise<boolean> {
  const [row] = await readRows(queryOf(container), "order", ["id", "status"], { id: orderId });
  const parsed = orderSchema.safeParse(row);
  return parsed.success && parsed.data.status === "canceled";
}

/** True when the collection or its order was canceled: nothing more is captured for it. */
export async function isCanceledInMedusa(
  container: MedusaContainer,
  { isCanceled, orderId }: Pick<PaymentCollection, "isCanceled" | "orderId">,
): Promise<boolean> {
  return isCanceled || (orderId !== null && (await isOrderCanceled(container, orderId)));
}

const cancelableSchema = z.object({
  status: z.string(),
  fulfillments: z.array(z.object({ canceled_at: z.unknown().optional() }).nullish()).nullish(),
});

/** Whether Medusa would cancel this order: it is neither canceled nor completed, and none of its fulfillments is under way. */
export async function isCancelable(container: MedusaContainer, orderId: string): Promise<boolean> {
  const fields = ["id", "status", "fulfillments.id", "fulfillments.canceled_at"];
  const [row] = orderId === "" ? [] : await readRows(queryOf(container), "order", fields, { id: orderId });
  const parsed = cancelableSchema.safeParse(row);
  if (!parsed.success || parsed.data.status === "canceled" || parsed.data.status === "completed") return false;
  return (parsed.data.fulfillments ?? []).every((one) => one?.canceled_at !== null && one?.canceled_at !== undefined);
}

/** The order's number as people write it, `#1024`; null when it has none. */
export async function readDisplayId(container: MedusaContainer, orderId: string): Promise<string | null> {
  const [row] = await readRows(queryOf(container), "order", ["id", "display_id"], { id: orderId });
  const parsed = orderSchema.safeParse(row);
  return parsed.success && typeof parsed.data.display_id === "number" ? `#${parsed.data.display_id}` : null;
}

/** The payment collections of an order: the cart's, and one for each edit that raised the total. */
export async function readCollectionIds(container: MedusaContainer, orderId: string): Promise<readonly string[]> {
  if (orderId === "") return [];
  const fields = ["payment_collection_id"];
  const links = await readRows(queryOf(container), "order_payment_collection", fields, { order_id: orderId });
  return links.flatMap((link) => {
    const parsed = linkSchema.safeParse(link);
    return parsed.success ? [parsed.data.payment_collection_id] : [];
  });
}
