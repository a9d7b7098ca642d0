/** Shopify's number of the simulated shop, in the Admin API and in webhooks. */
export const SHOP_ID = 954_889;

/** The bytes that ids and secrets of a shop are made of. */
export type RandomBytes = (size: number) => Buffer;
