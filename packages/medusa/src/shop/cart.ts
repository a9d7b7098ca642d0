import type { Language } from "@tillkit/core";
import { z } from "zod";
import { pluginLimits } from "../limits.ts";
import { collectionIdOf, readCollection, rows } from "./collection.ts";
import { type MedusaContainer, queryOf } from "./medusa-container.ts";

const schema = z.object({
  locale: z.string().nullish(),
  items: z.array(z.object({ title: z.string().nullish(), quantity: z.unknown() }).nullish()).nullish(),
});

/** What the hosted page says of a cart. */
export type CartWords = { readonly title: string; readonly language: Language };

/** A collection without a cart belongs to an order that was edited; it has no words of its own. */
export async function readCartWords(
  container: MedusaContainer,
  cartId: string | null,
  language: Language,
): Promise<CartWords> {
  if (cartId === null) return { title: UNTITLED[language], language };
  const fields = ["id", "locale", "items.title", "items.quantity"];
  const [row] = await rows(queryOf(container), "cart", fields, { id: cartId });
  const read = schema.safeParse(row);
  if (!read.success) return { title: UNTITLED[language], language };
  const spoken = languageOf(read.data.locale) ?? language;
  return { title: titleOf(read.data.items ?? []) || UNTITLED[spoken], language: spoken };
}

/** The language of the cart that a payment session belongs to, as far as it can be read. */
export async function shoppersLanguage(
  container: MedusaContainer,
  sessionId: unknown,
  otherwise: Language,
): Promise<Language> {
  try {
    const id = typeof sessionId === "string" ? await collectionIdOf(container, sessionId) : null;
    const collection = id === null ? null : await readCollection(container, id);
    return (await readCartWords(container, collection?.cartId ?? null, otherwise)).language;
  } catch {
    return otherwise;
  }
}

const UNTITLED: Readonly<Record<Language, string>> = { fr: "Votre commande", en: "Your order" };

function languageOf(locale: string | null | undefined): Language | null {
  const spoken = locale?.slice(0, 2).toLowerCase();
  return spoken === "fr" || spoken === "en" ? spoken : null;
}

// "2 × Basket, Hat, …": what people bought, not what it is called inside.
function titleOf(items: NonNullable<z.output<typeof schema>["items"]>): string {
  const named = items.flatMap((item) => (item?.title ? [{ title: item.title, quantity: Number(item.quantity) }] : []));
  const told = named
    .slice(0, pluginLimits.titleItems)
    .map(({ title, quantity }) => (quantity > 1 ? `${quantity} × ${title}` : title));
  return [...told, ...(named.length > told.length ? ["…"] : [])].join(", ");
}
