/** Shopify's number of the simulated shop, in the Admin API and in webhooks. */
export const SHOP_ID = 954_889;
