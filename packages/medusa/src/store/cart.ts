import type { Language } from "@tillkit/core";
import { z } from "zod";
import { pluginLimits } from "../limits.ts";
import { type MedusaContainer, queryOf } from "./medusa-container.ts";
import { findCollectionId, readCollection } from "./payment-collection.ts";
import { readRows } from "./read-rows.ts";

const schema = z.object({
  locale: z.string().nullish(),
  items: z.array(z.object({ title: z.string().nullish(), quantity: z.unknown() }).nullish()).nullish(),
});

/** What the hosted page shows of a cart. */
export type CartSummary = { readonly title: string; readonly language: Language };

/** A collection without a cart belongs to an edited order; it gets the default title. */
export async function readCartSummary(
  container: MedusaContainer,
  cartId: string | null,
  defaultLanguage: Language,
): Promise<CartSummary> {
  const untitled = { title: DEFAULT_TITLES[defaultLanguage], language: defaultLanguage };
  if (cartId === null) return untitled;
  const fields = ["id", "locale", "items.title", "items.quantity"];
  const [row] = await readRows(queryOf(container), "cart", fields, { id: cartId });
  const read = schema.safeParse(row);
  if (!read.success) return untitled;
  const language = languageOf(read.data.locale) ?? defaultLanguage;
  return { title: titleOf(read.data.items ?? []) || DEFAULT_TITLES[language], language };
}

/** The language of the cart behind a payment session; the default when it cannot be read. */
export async function readShopperLanguage(
  container: MedusaContainer,
  sessionId: unknown,
  defaultLanguage: Language,
): Promise<Language> {
  try {
    const id = typeof sessionId === "string" ? await findCollectionId(container, sessionId) : null;
    const collection = id === null ? null : await readCollection(container, id);
    return (await readCartSummary(container, collection?.cartId ?? null, defaultLanguage)).language;
  } catch {
    return defaultLanguage;
  }
}

const DEFAULT_TITLES: Readonly<Record<Language, string>> = { fr: "Votre commande", en: "Your order" };

function languageOf(locale: string | null | undefined): Language | null {
  const language = locale?.slice(0, 2).toLowerCase();
  return language === "fr" || language === "en" ? language : null;
}

// "2 × Basket, Hat, …"
function titleOf(items: NonNullable<z.output<typeof schema>["items"]>): string {
  const named = items.flatMap((item) => (item?.title ? [{ title: item.title, quantity: Number(item.quantity) }] : []));
  const shown = named
    .slice(0, pluginLimits.titleItems)
    .map(({ title, quantity }) => (quantity > 1 ? `${quantity} × ${title}` : title));
  return [...shown, ...(named.length > shown.length ? ["…"] : [])].join(", ");
}
