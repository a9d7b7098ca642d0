/** The fields of a zod issue that `describeIssue` reads. */
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

/** Describes an issue in sentences. The value never appears in them, because it may be a secret. */
export function describeIssue(issue: ConfigIssue): string[] {
  const where = pathText(issue.path) || "The configuration";
  switch (issue.code) {
    case "unrecognized_keys":
      return (issue.keys ?? []).map(
        (key) => `${pathText([...issue.path, key])} is not a key of the configuration: check its spelling.`,
      );
    case "invalid_type":
      return [`${where} ${describeWrongType(issue)}.`];
    case "invalid_value":
      return [`${where} must be ${(issue.values ?? []).map((value) => `"${String(value)}"`).join(" or ")}.`];
    case "too_big":
      return [`${where} ${messageOfSchema(issue) ?? `must be ${issue.maximum} or less`}.`];
    case "too_small":
      return [`${where} ${messageOfSchema(issue) ?? `must be ${issue.minimum} or more`}.`];
    case "invalid_union":
      return [`${where} ${messageOfSchema(issue) ?? "has a value that is not allowed"}.`];
    default:
      return [`${where} ${issue.message}.`];
  }
}

// The messages that our schemas set begin with "must"; zod's own messages do not.
function messageOfSchema({ message }: ConfigIssue): string | null {
  return message.startsWith("must") ? message : null;
}

// An issue does not contain the value. Only its message shows that the value is missing.
function describeWrongType({ expected = "", message }: ConfigIssue): string {
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

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
}
