import { z } from "zod";

/** Fields that several calls of the plugin have. */
export const orderNumber = z.string().regex(/^[1-9]\d{0,18}$/);
export const orderKey = z.string().regex(/^[\w-]{1,100}$/);
