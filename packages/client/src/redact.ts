const SECRETS: readonly [RegExp, string][] = [
  [/svc_[sp]k_(?:test|live)_[A-Za-z0-9]+/g, "[key]"],
  [/whsec_[A-Za-z0-9]+/g, "[secret]"],
  [/pi_[A-Za-z0-9]+_secret_[A-Za-z0-9]+/g, "[secret]"],
  [/[^\s@"'<>(),;:]+@[^\s@"'<>(),;:]+\.[^\s@"'<>(),;:]+/g, "[e-mail]"],
  // Card and phone numbers: nine digits or more, eight after + or 0, however they are spaced; not inside an id.
  [/(?<![\w-])(?:\+|\b0)\d(?:[ .()-]?\d){6,}(?![\w-])/g, "[number]"],
  [/(?<![\w-])\d(?:[ .()-]?\d){8,}(?![\w-])/g, "[number]"],
];

/** Takes keys, secrets, e-mail addresses, card and phone numbers out of a text that somebody else wrote. */
export function redact(text: string): string {
  return SECRETS.reduce((clean, [pattern, name]) => clean.replace(pattern, name), text);
}

/** A foreign error as a cause: its name, code and cleaned message, nothing else of what it carries. */
export function redactedCause(thrown: unknown): Error {
  const source = thrown instanceof Error ? thrown : new Error(typeof thrown === "string" ? thrown : "unknown reason");
  const clean = new Error(redact(source.message));
  clean.name = source.name;
  const code = (source as { code?: unknown }).code;
  return typeof code === "string" ? Object.assign(clean, { code: redact(code) }) : clean;
}
