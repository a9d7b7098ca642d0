import type { z } from "zod";

/** Names the option and what is wrong with it. Never repeats the value: it may be a secret. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  const name = path.replace(/^\./, "");
  if (issue.code === "unrecognized_keys") {
    return `${issue.keys.join(", ")}: there is no such option, check the spelling.`;
  }
  if (issue.code === "invalid_type" && issue.message.includes("undefined")) return `${name} is missing.`;
  return `${name} ${issue.message}.`;
}
