import { z } from "zod";
import { optionalOperation } from "./admin-operation.ts";

/** Whether a shop is a development store, which cannot sell. */
export const readShopPlan = optionalOperation(
  "ShopPlanRead",
  "query ShopPlanRead { shop { plan { partnerDevelopment } } }",
  z
    .object({ shop: z.object({ plan: z.object({ partnerDevelopment: z.boolean() }) }) })
    .transform(({ shop }) => shop.plan),
);
