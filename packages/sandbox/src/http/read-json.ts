import { ApiError } from "../domain/api-error.ts";
import { limits } from "../domain/limits.ts";

/** The bytes of a request body, or "too-large" for a body above the limit. */
export type RequestBody = Uint8Array | "too-large";

/** @throws ApiError `bad_request` when the body is too large, has no JSON content type, is not JSON, or is nested too deeply */
export function readJson(bytes: RequestBody, contentType: string | undefined): unknown {
  if (bytes === "too-large") throw new ApiError("bad_request", "The request body is larger than 1 MiB");
  if (bytes.length === 0) return undefined;
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? "")) {
    throw new ApiError("bad_request", "A request with a body needs the header Content-Type: application/json");
  }
  const value = parse(bytes);
  if (isDeeperThan(value, limits.jsonDepth)) {
    throw new ApiError("bad_request", `The request body is nested more than ${limits.jsonDepth} levels deep`);
  }
  return value;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ApiError("bad_request", "The request body is not valid JSON");
  }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}
