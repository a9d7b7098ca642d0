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

/** Query of list routes: `limit` above 100 is lowered to 100 by the service. */
export const listQuerySchema = z.object({
  limit: z.coerce.number({ error: "must be a number" }).int().min(1).optional(),
  cursor: z.string().optional(),
});
