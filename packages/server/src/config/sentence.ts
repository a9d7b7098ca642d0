/** What a schema says of one mistake: the part of zod's issues that is read here. */
export type ConfigIssue = {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly values?: readonly unknown[];
  readonly expected?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
};

/** What is wrong, where, in words of ours: never the value, for it may be a secret. */
export function sentencesOf(issue: ConfigIssue): string[] {
  const where = placeOf(issue.path) || "The configuration";
  switch (issue.code) {
    case "unrecognized_keys":
      return (issue.keys ?? []).map(
        (key) => `${placeOf([...issue.path, key])} is no key of the configuration: check its spelling.`,
      );
    case "invalid_type":
      return [`${where} ${wrongType(issue)}.`];
    case "invalid_value":
      return [`${where} must be ${(issue.values ?? []).map((value) => `"${String(value)}"`).join(" or ")}.`];
    case "too_big":
      return [`${where} ${ownWords(issue) ?? `must be ${issue.maximum} or less`}.`];
    case "too_small":
      return [`${where} ${ownWords(issue) ?? `must be ${issue.minimum} or more`}.`];
    case "invalid_union":
      return [`${where} ${ownWords(issue) ?? "is none of what it may be"}.`];
    default:
      return [`${where} ${issue.message}.`];
  }
}

function ownWords({ message }: ConfigIssue): string | null {
  return message.startsWith("must") ? message : null;
}

// The value is not among what a schema tells of a mistake; only its message says that there is none.
function wrongType({ expected = "", message }: ConfigIssue): string {
  const kind = KINDS[expected] ?? `a ${expected}`;
  return message.endsWith("received undefined") ? `is missing: it must be ${kind}` : `must be ${kind}`;
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
