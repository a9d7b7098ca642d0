import { z } from "zod";
import { SERVICE_CODES } from "../errors/service-error.ts";
import { idSchema } from "./common.ts";

/** The body of every 4xx and 5xx response (API.md#errors). */
export const errorSchema = z.object({
  error: z.object({
    code: z.enum(SERVICE_CODES),
    message: z.string(),
    details: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  }),
  request_id: idSchema,
});
