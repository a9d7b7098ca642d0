import type { Transport, TransportResponse } from "@tillkit/client";
import type { Clock } from "@tillkit/core";
import { AuditError } from "../audit-error.ts";
import { auditLimits } from "../limits.ts";

export type ShopCall = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A GraphQL document with its variables; without it the call is a GET. */
  readonly graphql?: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };
};

export type ShopAnswer = { readonly body: unknown; readonly headers: Readonly<Record<string, string>> };

/** Reads JSON from a shop, patiently: a shop that is busy is asked again. @throws AuditError `shop_refused`, `shop_unreachable`, `shop_unreadable` */
export type ShopHttp = (call: () => ShopCall) => Promise<ShopAnswer>;

/** @param transport one of `createReadOnlyTransport` */
export function createShopHttp(shop: string, transport: Transport, clock: Clock, signal: AbortSignal): ShopHttp {
  return async (makeCall) => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send(transport, makeCall(), signal).catch((cause: unknown) => {
        if (signal.aborted || isAuditError(cause)) throw cause;
        return null;
      });
      if (answer !== null && answer.status < 300) return { body: readJson(shop, answer), headers: answer.headers };
      const failure = failureOf(shop, answer);
      if (failure.code !== "shop_unreachable" || attempt >= auditLimits.shopAttempts) throw failure;
      await clock.sleep(waitOf(answer, attempt), signal);
    }
  };
}

/** Null: no answer at all. */
function failureOf(shop: string, answer: TransportResponse | null): AuditError {
  if (answer !== null && !isPassing(answer.status)) return refusal(shop, answer.status);
  const status = answer === null ? "" : ` (${answer.status})`;
  return new AuditError(
    "shop_unreachable",
    `${shop} does not answer${status}: check its address, and try again later.`,
  );
}

function waitOf(answer: TransportResponse | null, attempt: number): number {
  const asked = Number(answer?.headers["retry-after"]);
  return asked > 0 ? Math.min(asked, MAX_WAIT_SECONDS) * 1_000 : 1_000 * 2 ** attempt;
}

const MAX_WAIT_SECONDS = 120;

function isAuditError(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "not_read_only";
}

function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

function refusal(shop: string, status: number): AuditError {
  if (status === 401 || status === 403)
    return new AuditError("shop_refused", `${shop} refuses the key (${status}): it needs a key that may read orders.`);
  return new AuditError("shop_unreadable", `${shop} answered ${status}: check its address.`);
}

async function send(
  transport: Transport,
  { url, headers = {}, graphql }: ShopCall,
  signal: AbortSignal,
): Promise<TransportResponse> {
  const body = graphql && new TextEncoder().encode(JSON.stringify(graphql));
  return await transport({
    method: body === undefined ? "GET" : "POST",
    url,
    headers: {
      accept: "application/json",
      "user-agent": "tillkit audit (reads only)",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body,
    signal: AbortSignal.any([signal, AbortSignal.timeout(auditLimits.shopDeadlineMs)]),
    maxBytes: auditLimits.pageBytes,
    reuseConnection: true,
  });
}

function readJson(shop: string, { body }: TransportResponse): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body).replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new AuditError(
      "shop_unreadable",
      `${shop} did not answer with JSON: a firewall or a cache may stand before it.`,
      { cause },
    );
  }
}

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** Milliseconds since 1970; a text without a zone is UTC. Null for what is no time. */
export function timeOf(value: unknown): number | null {
  const text = textOf(value);
  if (text === "") return null;
  const at = Date.parse(
    /(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text.replace(" ", "T")}${text.length > 10 ? "Z" : ""}`,
  );
  return Number.isNaN(at) ? null : at;
}
