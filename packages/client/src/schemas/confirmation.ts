import { z } from "zod";
import { timeSchema } from "./common.ts";

/** Of a money movement that was previewed first. */
export const confirmationTokenSchema = z.string().min(1).optional();

/** Status 200: what a deployment that confirms in two steps answers to the first call; nothing was executed yet. */
export const confirmationPreviewSchema = z.object({
  requires_confirmation: z.literal(true),
  confirmation_token: z.string(),
  expires_at: timeSchema,
  preview: z.record(z.string(), z.unknown()),
});
