import { z } from "zod";

/** The envelope of list answers around one page of items. */
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

/** `limit` of a query; above 100 the service lowers it. */
export const limitSchema = z.coerce.number({ error: "must be a number" }).int().min(1).optional();

/** What every cursor list takes. */
export const listQuerySchema = z.object({ limit: limitSchema, cursor: z.string().optional() });

/** An ISO 8601 date or time, inclusive. */
export const dateFilterSchema = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: "must be an ISO 8601 date or time" })
  .optional();

export const queryFlagSchema = z.enum(["true", "false"], { error: "must be true or false" }).optional();
