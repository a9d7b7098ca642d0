import { ApiError } from "../domain/api-error.ts";
import { limits } from "../domain/limits.ts";

/** The body of a request: its bytes, or the fact that there were more of them than the service takes. */
export type RequestBody = Uint8Array | "too-large";

/** @throws Refusal `bad_request` when the body is too large, not declared as JSON, not JSON, or nested absurdly */
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
