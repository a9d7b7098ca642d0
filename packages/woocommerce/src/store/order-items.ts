import { plainText } from "@tillkit/runtime";
import type { WooOrder } from "./woo-order.ts";

/** What was ordered, for the hosted page: `2 × Coffee, 1 × Tea`. Empty for an order without named items. */
export function describeItems({ line_items: items }: WooOrder): string {
  return items
    .map(({ name, quantity }) => ({ name: plainText(name), quantity: quantity ?? 1 }))
    .filter(({ name }) => name !== "")
    .map(({ name, quantity }) => `${quantity} × ${name}`)
    .join(", ");
}

export function itemNames({ line_items: items }: WooOrder): string[] {
  return items.map(({ name }) => plainText(name)).filter((name) => name !== "");
}
