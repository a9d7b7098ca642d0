/** The JSON object or list in a response; null for a web page, a truncated response, or JSON after a PHP notice. */
export function readJson(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** The `code` of an error in a response; null without one. */
export function errorCodeOf(body: object): string | null {
  return "code" in body && typeof body.code === "string" ? body.code : null;
}
