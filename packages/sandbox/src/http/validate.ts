import type { z } from "zod";
import { ApiError, validationFailed } from "../domain/api-error.ts";

/**
 * Parses a value with a schema.
 * @throws ApiError `validation_failed` with the messages per field; `amount_invalid` for a number that is not a valid amount
 */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  if (issues.some((issue) => isAmountIssue(issue, value))) {
    throw new ApiError("amount_invalid", "amount must be a positive whole number in the currency's unit");
  }
  throw validationFailed(messagesByField(issues));
}

function messagesByField(issues: readonly z.core.$ZodIssue[]): Record<string, string[]> {
  const details: Record<string, string[]> = {};
  for (const issue of issues) {
    const field = issue.path.map(String).join(".") || "body";
    details[field] = [...(details[field] ?? []), issue.message];
  }
  return details;
}

/** An invalid number gets `amount_invalid`; a missing amount or a text does not. JSON parses 1e400 as Infinity, which is a number. */
function isAmountIssue(issue: z.core.$ZodIssue, value: unknown): boolean {
  if (issue.path.length !== 1 || issue.path[0] !== "amount") return false;
  return typeof value === "object" && value !== null && "amount" in value && typeof value.amount === "number";
}
