import { z } from "zod";

/** The envelope around one page of a list (API.md#lists). */
export function listSchema<T extends z.ZodType>(item: T) {
  return z.object({
    object: z.literal("list"),
    data: z.array(item),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
    limit: z.int(),
    total_count: z.int(),
  });
}

/** `limit` of a query; the service lowers a value above 100. */
export const limitSchema = z.coerce.number({ error: "must be a number" }).int().min(1).optional();

/** Query of every list with a cursor. */
export const listQuerySchema = z.object({ limit: limitSchema, cursor: z.string().optional() });

/** An ISO 8601 date or time, inclusive. */
export const dateFilterSchema = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: "must be an ISO 8601 date or time" })
  .optional();

export const queryFlagSchema = z.enum(["true", "false"], { error: "must be true or false" }).optional();
