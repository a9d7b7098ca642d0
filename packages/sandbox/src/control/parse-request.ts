import type { z } from "zod";
import { ApiError } from "../domain/api-error.ts";

/**
 * Parses the body of a control API request.
 * @throws ApiError `bad_request`; its message names the field
 */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === "unrecognized_keys") {
    throw new ApiError("bad_request", `Unknown field "${[...issue.path, issue.keys[0]].join(".")}".`);
  }
  throw new ApiError("bad_request", `Invalid value for "${issue?.path.join(".")}": ${issue?.message ?? "is invalid"}.`);
}
