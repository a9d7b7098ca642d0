import type { WooOrder } from "./woo-order.ts";

/** What was ordered, for the hosted page: `2 × Coffee, 1 × Tea`. Empty for an order without named items. */
export function describeItems({ line_items: items }: WooOrder): string {
  return items
    .map(({ name, quantity }) => ({ name: plainName(name), quantity: quantity ?? 1 }))
    .filter(({ name }) => name !== "")
    .map(({ name, quantity }) => `${quantity} × ${name}`)
    .join(", ");
}

export function itemNames({ line_items: items }: WooOrder): string[] {
  return items.map(({ name }) => plainName(name)).filter((name) => name !== "");
}

/** WordPress stores some product names with HTML entities. */
function plainName(name: string | null): string {
  return (name ?? "")
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, entity: string) => ENTITIES[entity] ?? "")
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };
