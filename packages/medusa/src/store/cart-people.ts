import { plainText } from "@tillkit/runtime";
import { z } from "zod";
import { pluginLimits } from "../limits.ts";
import { type MedusaContainer, queryOf } from "./medusa-container.ts";
import { readRows } from "./read-rows.ts";

const addressSchema = z.object({
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  phone: z.string().nullish(),
});

const buyerRowSchema = z.object({
  email: z.string().nullish(),
  items: z.array(z.object({ title: z.string().nullish(), quantity: z.unknown() }).nullish()).nullish(),
  shipping_address: addressSchema.nullish(),
  billing_address: addressSchema.nullish(),
});

/** Who bought what. Personal data: shown to the owner and sent to the hosted page, never logged and never stored by us. */
export type Buyer = {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  /** `2 × Basket` */
  readonly items: readonly string[];
};

const BUYER_FIELDS = [
  "id",
  "email",
  "items.title",
  "items.quantity",
  "shipping_address.first_name",
  "shipping_address.last_name",
  "shipping_address.phone",
  "billing_address.first_name",
  "billing_address.last_name",
  "billing_address.phone",
];

/** The buyer of a cart, or of an order whose payment has no cart. Null when Medusa has neither. */
export async function readBuyer(
  container: MedusaContainer,
  { cartId, orderId }: { readonly cartId: string | null; readonly orderId: string | null },
): Promise<Buyer | null> {
  const [entity, id] = cartId === null ? (["order", orderId] as const) : (["cart", cartId] as const);
  if (id === null) return null;
  const [row] = await readRows(queryOf(container), entity, BUYER_FIELDS, { id });
  const parsed = buyerRowSchema.safeParse(row);
  if (!parsed.success) return null;
  const { email, items, billing_address: billing, shipping_address: shipping } = parsed.data;
  const addressWithName = [billing, shipping].find((address) => nameOf(address) !== "");
  return {
    name: nameOf(addressWithName) || null,
    email: email || null,
    phone: billing?.phone || shipping?.phone || null,
    items: itemLines(items ?? []),
  };
}

function nameOf(address: z.output<typeof addressSchema> | null | undefined): string {
  return [address?.first_name, address?.last_name].filter(Boolean).join(" ").trim();
}

/** One line for each item with a title: `2 × Basket`, `Hat`. */
export function itemLines(
  items: readonly ({ title?: string | null | undefined; quantity: unknown } | null | undefined)[],
): string[] {
  return items
    .map((item) => ({ title: plainText(item?.title), quantity: Number(item?.quantity) }))
    .filter(({ title }) => title !== "")
    .slice(0, pluginLimits.itemsShown)
    .map(({ title, quantity }) => (quantity > 1 ? `${quantity} × ${title}` : title));
}
