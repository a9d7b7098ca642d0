import { ApiError } from "../domain/api-error.ts";
import type { HttpResponse } from "./http-response.ts";

/** The value of `Allow`: the methods of a path, `HEAD` where the path has `GET`, and `OPTIONS`. */
export function allowHeader(methods: readonly string[]): string {
  const withHead = methods.includes("GET") ? ["GET", "HEAD", ...methods.filter((method) => method !== "GET")] : methods;
  return [...new Set([...withHead, "OPTIONS"])].join(", ");
}

/** The response to OPTIONS. It permits no request from another origin: it has no `Access-Control-…` header. */
export function optionsResponse(methods: readonly string[], headers: Record<string, string> = {}): HttpResponse {
  return { status: 204, headers: { ...headers, Allow: allowHeader(methods) }, body: null };
}

/** 405: the path exists, but not with this method. The caller adds the header `Allow` to the response. */
export function methodNotAllowed(method: string, methods: readonly string[]): ApiError {
  return new ApiError("bad_request", `${method} is not allowed here: use ${allowHeader(methods)}`, { status: 405 });
}
