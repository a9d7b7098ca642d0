/** One request to the shop, read. */
export type Asked = {
  readonly method: string;
  /** Below `/wp-json/`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly bytes: Uint8Array;
};

export type Answer = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** WordPress's form of an error. */
export function refusal(status: number, code: string, message: string, more: Record<string, unknown> = {}): Answer {
  return { status, body: { code, message, data: { status, ...more } } };
}

export const NO_ROUTE = refusal(404, "rest_no_route", "No route was found matching the URL and request method.");

/** Null where the body is no JSON object. */
export function jsonBody({ bytes }: Asked): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
