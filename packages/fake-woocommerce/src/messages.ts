/** A parsed HTTP request to the shop. */
export type ShopRequest = {
  readonly method: string;
  /** The path below `/wp-json/`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly bytes: Uint8Array;
};

export type ShopResponse = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** An error in WordPress's format. */
export function errorResponse(
  status: number,
  code: string,
  message: string,
  extraData: Record<string, unknown> = {},
): ShopResponse {
  return { status, body: { code, message, data: { status, ...extraData } } };
}

export const NO_ROUTE = errorResponse(404, "rest_no_route", "No route was found matching the URL and request method.");

/** Null for a body that is not a JSON object. */
export function jsonBody({ bytes }: ShopRequest): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
