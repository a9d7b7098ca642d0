import { z } from "zod";

/** Fields that several calls of the plugin have. */
export const orderNumber = z.string().regex(/^[1-9]\d{0,18}$/);
export const orderKey = z.string().regex(/^[\w-]{1,100}$/);
/** As the shop writes it, in decimals of its own. */
export const amountText = z.string().regex(/^\d{1,15}(?:\.\d{1,20})?$/);
export const currencyCode = z.string().regex(/^[A-Z]{3}$/);
