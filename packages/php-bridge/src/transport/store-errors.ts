import { connectionFix, wasNeverSent } from "@tillkit/client";
import { codeOf, StoreError } from "@tillkit/core";
import { NOT_SENT } from "./deadline.ts";

/** A failed read changed nothing. A write without an answer may have been applied. */
export type CallKind = "read" | "write";

/** Replaces the error of a failed connection. The original error is dropped because it holds a request with the shop's keys. */
export function connectionError(caught: unknown, kind: CallKind): StoreError {
  if (codeOf(caught) === "not_sent") return new StoreError("unavailable", NOT_SENT);
  const code = socketCode(caught);
  if (wasNeverSent(code)) {
    return new StoreError(
      "unavailable",
      `The shop cannot be reached (${code})${connectionFix(code)}: nothing was sent.`,
    );
  }
  const suffix = code === null ? "" : ` (${code})`;
  if (kind === "read") return new StoreError("unavailable", `The shop did not answer in time${suffix}.`);
  return new StoreError("unknown", `The shop did not answer${suffix}: it may have applied the write.`);
}

/** `ECONNREFUSED` and similar codes, from the error or its causes; null without one. */
export function socketCode(caught: unknown): string | null {
  if (typeof caught !== "object" || caught === null) return null;
  const { code, cause } = caught as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === "string" && /^E[A-Z_]+$|^(?:CERT|DEPTH|SELF|UNABLE|UND)_\w+$/.test(code)) return code;
  return cause === undefined ? null : socketCode(cause);
}

/** The error for a response that is no JSON: a redirect, a page, maintenance mode. Null for a JSON response. */
export function responseError(status: number, body: object | null, kind: CallKind): StoreError | null {
  if (status >= 300 && status < 400) {
    return new StoreError(
      "unavailable",
      `The shop redirects (${status}): set url to the address it redirects to, exactly as the shop shows it.`,
    );
  }
  if (body !== null) return null;
  if (status === 503 && kind === "read") return new StoreError("unavailable", "The shop is in maintenance mode (503).");
  if (status === 429) return new StoreError("unavailable", "The shop asks us to wait (429).");
  const problem = `The shop answered ${status} with a page instead of JSON`;
  if (kind === "read") {
    return new StoreError(
      "unavailable",
      `${problem}: check caching, security and maintenance plugins, and PHP notices.`,
    );
  }
  return new StoreError("unknown", `${problem}: it may have applied the write.`);
}
