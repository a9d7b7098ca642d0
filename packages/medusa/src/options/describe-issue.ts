import type { z } from "zod";

/** Names the option and what is wrong with it. Never repeats the value: it may be a secret. */
export function describeIssue(issue: z.core.$ZodIssue): readonly string[] {
  const path = issue.path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  const name = path.replace(/^\./, "");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => describeUnknown([...issue.path, key].join(".")));
  }
  if (issue.code === "invalid_type" && issue.message.includes("undefined")) return [`${name} is missing.`];
  return [`${name} ${issue.message}.`];
}

const NEW_NAMES: ReadonlyMap<string, string> = new Map([
  ["baseUrl", "service.baseUrl"],
  ["serviceVersion", "service.version"],
  ["serviceAccount", "account"],
]);

function describeUnknown(name: string): string {
  const newName = NEW_NAMES.get(name);
  return newName === undefined
    ? `${name}: there is no such option, check the spelling.`
    : `${name} is now called ${newName}: rename it.`;
}
