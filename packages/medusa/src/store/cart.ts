import type { Language } from "@tillkit/core";
import { z } from "zod";
import { pluginLimits } from "../limits.ts";
import { itemLines } from "./cart-people.ts";
import { languageOfCountries } from "./country-language.ts";
import { type MedusaContainer, queryOf } from "./medusa-container.ts";
import { findCollectionId, readCollection } from "./payment-collection.ts";
import { readRows } from "./read-rows.ts";

const countrySchema = z.object({ iso_2: z.string().nullish() });

const cartRowSchema = z.object({
  locale: z.string().nullish(),
  region: z.object({ countries: z.array(countrySchema.nullish()).nullish() }).nullish(),
  shipping_address: z.object({ country_code: z.string().nullish() }).nullish(),
  items: z.array(z.object({ title: z.string().nullish(), quantity: z.unknown() }).nullish()).nullish(),
});

const CART_FIELDS = [
  "id",
  "locale",
  "items.title",
  "items.quantity",
  "region.countries.iso_2",
  "shipping_address.country_code",
];

/** What the hosted page shows of a cart. */
export type CartSummary = { readonly title: string; readonly description?: string; readonly language: Language };

/** A collection without a cart belongs to an edited order; it gets the default title. */
export async function readCartSummary(
  container: MedusaContainer,
  cartId: string | null,
  defaultLanguage: Language,
): Promise<CartSummary> {
  const untitled = { title: DEFAULT_TITLES[defaultLanguage], language: defaultLanguage };
  if (cartId === null) return untitled;
  const [row] = await readRows(queryOf(container), "cart", CART_FIELDS, { id: cartId });
  const parsed = cartRowSchema.safeParse(row);
  if (!parsed.success) return untitled;
  const language = languageOf(parsed.data) ?? defaultLanguage;
  const description = itemLines(parsed.data.items ?? []).join(", ");
  return {
    title: titleOf(parsed.data.items ?? []) || DEFAULT_TITLES[language],
    ...(description === "" ? {} : { description }),
    language,
  };
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

// A storefront sets the locale only where the store has several. Without a locale the country decides.
function languageOf({ locale, region, shipping_address: address }: z.output<typeof cartRowSchema>): Language | null {
  const language = locale?.slice(0, 2).toLowerCase();
  if (language === "fr" || language === "en") return language;
  const regionCountries = (region?.countries ?? []).map((country) => country?.iso_2);
  return languageOfCountries([address?.country_code]) ?? languageOfCountries(regionCountries);
}

// "2 × Basket, Hat, …"
function titleOf(items: NonNullable<z.output<typeof cartRowSchema>["items"]>): string {
  const lines = itemLines(items);
  const shown = lines.slice(0, pluginLimits.titleItems).join(", ");
  return lines.length > pluginLimits.titleItems ? `${shown}, …` : shown;
}
