import { z } from "zod";
import {
  environmentSchema,
  filledSchema,
  idSchema,
  metadataSchema,
  storedMetadataSchema,
  storedTextSchema,
  timeSchema,
} from "./common.ts";
import { listQuerySchema } from "./list.ts";

/** Body of POST /customers. */
export const customerRequestSchema = z.object({
  name: filledSchema,
  email: z.email({ error: "must be a valid email address" }).optional(),
  phone_number: filledSchema.optional(),
  whatsapp_number: filledSchema.optional(),
  country: filledSchema.optional(),
  city: filledSchema.optional(),
  address: filledSchema.optional(),
  postal_code: filledSchema.optional(),
  is_business: z.boolean().optional(),
  metadata: metadataSchema.optional(),
});

/** Body of PATCH /customers/{id}. */
export const customerUpdateSchema = customerRequestSchema.partial();

/** Response of every customer route. */
export const customerSchema = z.object({
  customer_id: idSchema,
  public_id: z.string().regex(/^cus_/),
  organization_id: idSchema,
  name: z.string(),
  email: storedTextSchema,
  phone_number: storedTextSchema,
  whatsapp_number: storedTextSchema,
  country: storedTextSchema,
  city: storedTextSchema,
  address: storedTextSchema,
  postal_code: storedTextSchema,
  is_business: z.boolean().nullable(),
  metadata: storedMetadataSchema.nullable(),
  environment: environmentSchema,
  created_at: timeSchema,
  updated_at: timeSchema,
});

/** Query of GET /customers. */
export const customerQuerySchema = listQuerySchema.extend({
  search: z.string().optional(),
  type: z.enum(["business", "individual", "all"]).optional(),
  status: z.enum(["active", "inactive", "all"]).optional(),
});
