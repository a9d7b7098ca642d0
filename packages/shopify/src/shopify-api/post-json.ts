import { connectionFix, createNodeTransport, type SendBy, type Transport, wasNeverSent } from "@tillkit/client";
import { type Clock, codeOf, StoreError } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";

export type JsonRequest = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
  readonly clock: Clock;
  /** The request is not sent after this moment, which is compared right before its first byte. */
  readonly sendBy?: SendBy | undefined;
  /** The default keeps connections to all shops open. */
  readonly transport?: Transport | undefined;
};

export type JsonResponse = {
  readonly status: number;
  readonly headers: Headers;
  /** Null where the body is no JSON object. */
  readonly body: object | null;
};

const keptConnections = createNodeTransport();

/**
 * Sends one POST to Shopify. It times out after `callTimeoutMs`, follows no redirect, so that a token never reaches another
 * host, and reads a response of limited size.
 * @throws StoreError `unavailable` when the request was never sent, else `unknown`. The error repeats nothing of the request
 */
export async function postJson({ url, headers = {}, body, clock, ...options }: JsonRequest): Promise<JsonResponse> {
  const { sendBy, transport = keptConnections } = options;
  const timeout = new AbortController();
  const finished = new AbortController();
  clock.sleep(shopifyLimits.callTimeoutMs, finished.signal).then(
    () => timeout.abort(),
    () => undefined,
  );
  try {
    const response = await transport({
      method: "POST",
      url,
      headers: { "user-agent": "Tillkit", "content-type": "application/json", accept: "application/json", ...headers },
      body: new TextEncoder().encode(JSON.stringify(body)),
      signal: timeout.signal,
      maxBytes: shopifyLimits.responseBytes,
      reuseConnection: true,
      sendBy,
    });
    const text = Buffer.from(response.body).toString("utf8");
    return { status: response.status, headers: new Headers(response.headers), body: parseObject(text) };
  } catch (error) {
    throw toStoreError(error);
  } finally {
    finished.abort("finished");
  }
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
  if (codeOf(error) === "not_sent") return new StoreError("unavailable", "Shopify is too slow. Nothing was sent.");
  const code = socketCode(error);
  if (wasNeverSent(code)) {
    return new StoreError(
      "unavailable",
      `Shopify cannot be reached (${code})${connectionFix(code)}. Nothing was sent.`,
    );
  }
  const detail = code === null ? "" : ` (${code})`;
  return new StoreError("unknown", `Shopify did not answer${detail}. The request may have been executed.`);
}

function socketCode(error: unknown): string | null {
  if (typeof error !== "object" || error === null) return null;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === "string" && /^E[A-Z_]+$|^(?:CERT|DEPTH|SELF|UNABLE|UND)_\w+$/.test(code)) return code;
  return socketCode(cause);
}
