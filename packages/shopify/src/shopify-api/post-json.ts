import { type Clock, StoreError } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";

export type JsonRequest = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
  readonly clock: Clock;
};

export type JsonResponse = {
  readonly status: number;
  readonly headers: Headers;
  /** Null where the body is no JSON object. */
  readonly body: object | null;
};

/** Error codes of a socket whose request was never sent. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/**
 * Sends one POST to Shopify. It times out after `callTimeoutMs`, follows no redirect, so that a token never reaches another
 * host, and reads a response of limited size.
 * @throws StoreError `unavailable` when the request was never sent, else `unknown`. The error repeats nothing of the request
 */
export async function postJson({ url, headers = {}, body, clock }: JsonRequest): Promise<JsonResponse> {
  const timeout = new AbortController();
  const finished = new AbortController();
  clock.sleep(shopifyLimits.callTimeoutMs, finished.signal).then(
    () => timeout.abort(),
    () => undefined,
  );
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      signal: timeout.signal,
      headers: { "Content-Type": "application/json", Accept: "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: parseObject(await readText(response)) };
  } catch (error) {
    throw toStoreError(error);
  } finally {
    finished.abort("finished");
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > shopifyLimits.responseBytes) throw new Error("The response is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

// The caught error is not the cause of the new one, because it may repeat a token.
function toStoreError(error: unknown): StoreError {
  const code = socketCode(error);
  if (code !== null && NEVER_SENT.has(code)) {
    return new StoreError("unavailable", `Shopify cannot be reached (${code}). Nothing was sent.`);
  }
  const detail = code === null ? "" : ` (${code})`;
  return new StoreError("unknown", `Shopify did not answer${detail}. The request may have been executed.`);
}

function socketCode(error: unknown): string | null {
  if (typeof error !== "object" || error === null) return null;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === "string" && /^(?:E[A-Z_]+|UND_\w+)$/.test(code)) return code;
  return socketCode(cause);
}
