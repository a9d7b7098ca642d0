import { z } from "zod";
import { ORDER_ID } from "../orders/bridged-order.ts";

/** Fields that several calls of the plugin share. */
export const orderNumber = z.string().regex(ORDER_ID);
export const orderKey = z.string().regex(/^[\w-]{1,100}$/);
/** A decimal number as text, with the shop's number of decimals. */
export const amountText = z.string().regex(/^\d{1,15}(?:\.\d{1,20})?$/);
export const currencyCode = z.string().regex(/^[A-Z]{3}$/);
/** The person who decides: a role and a user id, `shop_manager #7`. Never a name or an e-mail address. */
export const actorText = z.string().regex(/^[\w-]{1,60} #\d{1,19}$/);
