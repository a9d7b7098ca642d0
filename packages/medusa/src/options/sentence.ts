import type { z } from "zod";

/** What is wrong and where, in words of ours: never the value, for it may be a secret. */
export function sentenceOf(issue: z.core.$ZodIssue): string {
  const where = issue.path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  const name = where.replace(/^\./, "");
  if (issue.code === "unrecognized_keys") {
    return `${issue.keys.join(", ")}: no such option, check its spelling.`;
  }
  if (issue.code === "invalid_type" && issue.message.includes("undefined")) return `${name} is missing.`;
  return `${name} ${issue.message}.`;
}
