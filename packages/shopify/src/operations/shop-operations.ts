import { z } from "zod";
import { optionalOperation } from "./admin-operation.ts";

const name = z.string().min(1).max(200).nullish().catch(null);
const domain = z
  .object({ url: z.url({ protocol: /^https?$/ }) })
  .nullish()
  .catch(null);

/** Whether a shop is a development store, which cannot sell; its name and its front page, as its shoppers know them. */
export const readShop = optionalOperation(
  "ShopRead",
  "query ShopRead { shop { name plan { partnerDevelopment } primaryDomain { url } } }",
  z
    .object({ shop: z.object({ name, plan: z.object({ partnerDevelopment: z.boolean() }), primaryDomain: domain }) })
    .transform(({ shop }) => ({
      isDevelopment: shop.plan.partnerDevelopment,
      profile: { name: shop.name ?? null, homeUrl: shop.primaryDomain?.url ?? null },
    })),
);
