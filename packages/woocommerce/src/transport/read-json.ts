/** The JSON object or list that a shop answered; null for a page, a cut answer, or JSON behind a PHP notice. */
export function readJson(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** The `code` of an error as WordPress words it; null where the answer has none. */
export function errorCodeOf(body: object): string | null {
  return "code" in body && typeof body.code === "string" ? body.code : null;
}
