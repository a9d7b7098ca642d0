import { z } from "zod";
import { type MedusaContainer, queryOf } from "./medusa-container.ts";
import { readRows } from "./read-rows.ts";

const countryRowSchema = z.object({
  shipping_address: z.object({ country_code: z.string().nullish() }).nullish(),
  region: z.object({ countries: z.array(z.object({ iso_2: z.string().nullish() }).nullish()).nullish() }).nullish(),
});

/**
 * The country in the storefront's addresses: `sn` for Senegal. The country of the shipping address, or the first one of the region.
 * Null when Medusa has neither.
 */
export async function readCountry(
  container: MedusaContainer,
  { cartId, orderId }: { readonly cartId: string | null; readonly orderId: string | null },
): Promise<string | null> {
  const entity = cartId === null ? "order" : "cart";
  const id = cartId ?? orderId;
  if (id === null) return null;
  const fields = ["id", "shipping_address.country_code", "region.countries.iso_2"];
  const [row] = await readRows(queryOf(container), entity, fields, { id });
  const parsed = countryRowSchema.safeParse(row);
  if (!parsed.success) return null;
  const { shipping_address: address, region } = parsed.data;
  const code = address?.country_code || region?.countries?.find((country) => country?.iso_2)?.iso_2;
  return code && /^[a-z]{2}$/i.test(code) ? code.toLowerCase() : null;
}
