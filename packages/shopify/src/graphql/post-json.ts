import { type Clock, StoreError } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";

export type PostedJson = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
  readonly clock: Clock;
};

export type JsonAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** Null: it is no JSON object. */
  readonly body: object | null;
};

/** What a socket says when the request never left. */
const NEVER_LEFT: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/**
 * One POST to Shopify: within its deadline, never following a redirect (a token goes to no other host), and with an answer of
 * a bounded size. @throws StoreError `unavailable` when it never left, else `unknown`; nothing of the request is in it
 */
export async function postJson({ url, headers = {}, body, clock }: PostedJson): Promise<JsonAnswer> {
  const late = new AbortController();
  const answered = new AbortController();
  clock.sleep(shopifyLimits.callMs, answered.signal).then(
    () => late.abort(),
    () => undefined,
  );
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      signal: late.signal,
      headers: { "Content-Type": "application/json", Accept: "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: readObject(await readText(response)) };
  } catch (caught) {
    throw notAnswered(caught);
  } finally {
    answered.abort("answered");
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > shopifyLimits.answerBytes) throw new Error("The answer is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function readObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

// Nothing of the caught error goes on: what it holds may repeat a token.
function notAnswered(caught: unknown): StoreError {
  const code = socketCode(caught);
  if (code !== null && NEVER_LEFT.has(code)) {
    return new StoreError("unavailable", `Shopify cannot be reached (${code}): nothing was sent.`);
  }
  const why = code === null ? "" : ` (${code})`;
  return new StoreError("unknown", `Shopify did not answer${why}: it may have done what it was asked.`);
}

function socketCode(caught: unknown): string | null {
  if (typeof caught !== "object" || caught === null) return null;
  const { code, cause } = caught as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === "string" && /^(?:E[A-Z_]+|UND_\w+)$/.test(code)) return code;
  return socketCode(cause);
}
