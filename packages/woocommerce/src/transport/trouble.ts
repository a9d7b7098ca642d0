import { StoreError } from "@tillkit/core";

/** A read that fails changed nothing. A write that was not answered may have landed. */
export type CallKind = "read" | "write";

/** What a socket says when the request never left. */
const NEVER_LEFT: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ERR_INVALID_URL",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/**
 * What a failed connection means. Nothing of the caught error goes on: the request it holds carries the shop's keys.
 */
export function notAnswered(caught: unknown, kind: CallKind): StoreError {
  const code = socketCode(caught);
  if (code !== null && NEVER_LEFT.has(code)) {
    return new StoreError("unavailable", `The shop cannot be reached (${code}): nothing was sent.`);
  }
  const why = code === null ? "" : ` (${code})`;
  if (kind === "read") return new StoreError("unavailable", `The shop did not answer in time${why}.`);
  return new StoreError("unknown", `The shop did not answer${why}: it may have done what it was asked.`);
}

/** `ECONNREFUSED` and the like, wherever it stands in what a connection threw; null when it says nothing. */
export function socketCode(caught: unknown): string | null {
  if (typeof caught !== "object" || caught === null) return null;
  const { code, cause } = caught as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === "string" && /^E[A-Z_]+$|^(?:CERT|DEPTH|SELF|UNABLE|UND)_\w+$/.test(code)) return code;
  return cause === undefined ? null : socketCode(cause);
}

/** An answer that is not the shop's API: a redirect, a page, a firewall, WordPress at work on itself. Null when it is. */
export function notTheApi(status: number, body: object | null, kind: CallKind): StoreError | null {
  if (status >= 300 && status < 400) {
    return new StoreError(
      "unavailable",
      `The shop redirects (${status}): set url to the address it redirects to, exactly as WordPress shows it.`,
    );
  }
  if (body !== null) return null;
  if (status === 503 && kind === "read") return new StoreError("unavailable", "The shop is at work on itself (503).");
  if (status === 401 || status === 403 || status === 404 || status === 429) return notLetIn(status);
  const what = `The shop answered ${status} with a page instead of data`;
  if (kind === "read") {
    return new StoreError(
      "unavailable",
      `${what}: a caching, security or maintenance plugin, or a PHP notice, stands in the way.`,
    );
  }
  return new StoreError("unknown", `${what}: it may have done what it was asked.`);
}

function notLetIn(status: number): StoreError {
  return new StoreError(
    "unavailable",
    `Something in front of the shop answered ${status} with a page: let /wp-json/ through the firewall, and use pretty permalinks.`,
  );
}
