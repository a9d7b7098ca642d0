import { z } from "zod";

/** What an ID, a code, the number of an order or the address of its page may look like. */
export const idInput = z
  .string()
  .max(300)
  .regex(/^[A-Za-z0-9#][\w:/.#@?=&%+-]*$/, "is no ID, code, order number or address");

export const storeInput = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9][\w.:-]*$/, "is no ID of a store");

/** The UUID or code of a session at the service. */
export const sessionInput = z
  .string()
  .regex(/^(?:cs_[A-Za-z0-9]{1,60}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i, "is no UUID and no code cs_…");

export const limitInput = z.int().min(1).max(50).default(20);
