/** What a schema says of one mistake: the part of zod's issues that is read here. */
export type ConfigIssue = {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly values?: readonly unknown[];
  readonly expected?: string;
  readonly input?: unknown;
};

/** What is wrong, where, in words of ours: never the value, for it may be a secret. */
export function sentencesOf(issue: ConfigIssue): string[] {
  const where = placeOf(issue.path);
  switch (issue.code) {
    case "unrecognized_keys":
      return (issue.keys ?? []).map(
        (key) => `${where === "" ? key : `${where}.${key}`} is no key of the configuration: check its spelling.`,
      );
    case "invalid_type":
      return [`${where} ${wrongType(issue)}.`];
    case "invalid_value":
      return [`${where} must be ${(issue.values ?? []).map((value) => `"${String(value)}"`).join(" or ")}.`];
    case "too_big":
    case "too_small":
    case "invalid_union":
      return [`${where} ${issue.message.startsWith("must") ? issue.message : "is out of its range"}.`];
    default:
      return [`${where} ${issue.message}.`];
  }
}

function wrongType({ expected = "", input }: ConfigIssue): string {
  const kind = KINDS[expected] ?? `a ${expected}`;
  return input === undefined ? `is missing: it must be ${kind}` : `must be ${kind}`;
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
