import { z } from "zod";
import { type MedusaContainer, queryOf } from "./medusa-container.ts";
import { readRows } from "./read-rows.ts";

// The available quantity is the stocked quantity minus the reserved quantity. Medusa can compute it only in a query that also names
// these two, so the query names only them, and the difference is computed here.
const quantitySchema = z
  .unknown()
  .refine((value) => value !== null && value !== undefined && Number.isFinite(Number(value)))
  .transform(Number);
const levelSchema = z.object({ stocked_quantity: quantitySchema, reserved_quantity: quantitySchema });
const itemSchema = z.object({
  quantity: z.unknown(),
  variant: z.object({
    manage_inventory: z.boolean().nullish(),
    allow_backorder: z.boolean().nullish(),
    inventory_items: z
      .array(
        z.object({
          required_quantity: z.unknown(),
          inventory: z.object({ location_levels: z.array(levelSchema.nullish()).nullish() }).nullish(),
        }),
      )
      .nullish(),
  }),
});
const schema = z.object({ items: z.array(z.unknown()) });

const STOCK = "items.variant.inventory_items";
const FIELDS = [
  "items.quantity",
  "items.variant.manage_inventory",
  "items.variant.allow_backorder",
  `${STOCK}.required_quantity`,
  `${STOCK}.inventory.location_levels.stocked_quantity`,
  `${STOCK}.inventory.location_levels.reserved_quantity`,
];

/** Whether an item of the cart is sold out now. False when Medusa does not show its stock. */
export async function isSoldOut(container: MedusaContainer, cartId: string | null): Promise<boolean> {
  if (cartId === null) return false;
  const [row] = await readRows(queryOf(container), "cart", ["id", ...FIELDS], { id: cartId }).catch(() => []);
  const parsed = schema.safeParse(row);
  return parsed.success && parsed.data.items.some(lacksStock);
}

function lacksStock(item: unknown): boolean {
  const parsed = itemSchema.safeParse(item);
  if (!parsed.success || parsed.data.variant.manage_inventory !== true || parsed.data.variant.allow_backorder)
    return false;
  const { quantity, variant } = parsed.data;
  return (variant.inventory_items ?? []).some(({ required_quantity: requiredPerItem, inventory }) => {
    const levels = (inventory?.location_levels ?? []).filter((level) => level !== null && level !== undefined);
    const available = levels.reduce((sum, level) => sum + level.stocked_quantity - level.reserved_quantity, 0);
    return levels.length > 0 && available < Number(quantity) * Number(requiredPerItem ?? 1);
  });
}
