import { z } from "zod";
import { timeSchema } from "./common.ts";

/** The token of a preview (API.md#confirmation-in-two-steps). */
export const confirmationTokenSchema = z.string().min(1).optional();

/** Status 200: the preview of a confirmation in two steps (API.md#confirmation-in-two-steps); nothing was executed. */
export const confirmationPreviewSchema = z.object({
  requires_confirmation: z.literal(true),
  confirmation_token: z.string(),
  expires_at: timeSchema,
  preview: z.record(z.string(), z.unknown()),
});
