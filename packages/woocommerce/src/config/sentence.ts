import type { z } from "zod";

/** What is wrong, where, in words of ours: never the value, for it may be a secret. */
export function sentenceOf(issue: z.core.$ZodIssue): string[] {
  const where = placeOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map(
      (key) => `${where === "" ? key : `${where}.${key}`} is no key of the configuration: check its spelling.`,
    );
  }
  if (issue.code === "invalid_type") return [`${where} ${wrongType(issue)}.`];
  if (issue.code === "invalid_value")
    return [`${where} must be ${issue.values.map((value) => `"${String(value)}"`).join(" or ")}.`];
  if (issue.code === "too_big" || issue.code === "too_small" || issue.code === "invalid_union") {
    return [`${where} ${issue.message.startsWith("must") ? issue.message : "is out of its range"}.`];
  }
  return [`${where} ${issue.message}.`];
}

function wrongType(issue: z.core.$ZodIssueInvalidType): string {
  const kind = KINDS[issue.expected] ?? `a ${issue.expected}`;
  return issue.input === undefined ? `is missing: it must be ${kind}` : `must be ${kind}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  int: "a whole number",
  number: "a whole number",
  array: "a list in [ ]",
  object: "an object in { }",
};

function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
}
