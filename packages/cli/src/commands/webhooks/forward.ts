import type { SignedDelivery } from "@tillkit/client/webhooks";
import { color } from "../../command-line/color.ts";
import { formatTime } from "../../command-line/format-time.ts";

/** One webhook as the service sent it: the bytes are passed on unchanged, because the signature covers them. */
export type IncomingWebhook = {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
};

/** `status` is null when the receiver did not answer within the service's time limit. `problem`: why, or what a refusal says. */
export type ForwardResult = {
  readonly status: number | null;
  readonly problem: string | null;
  readonly milliseconds: number;
};

/** The service itself waits this long for an answer. */
const ANSWER_WITHIN_MS = 4_000;
const FORWARDED_HEADERS = [
  "content-type",
  "user-agent",
  "x-service-event",
  "x-service-signature",
  "x-service-timestamp",
];

/**
 * Posts a webhook to the receiver, byte for byte, with the service's own headers.
 * @param secret signs the same bytes for a receiver that knows another secret than the service; null keeps the service's signature
 */
export async function forward(
  target: string,
  incoming: IncomingWebhook,
  secret: string | null,
): Promise<ForwardResult> {
  const started = performance.now();
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).filter(([name]) => FORWARDED_HEADERS.includes(name)),
  );
  if (secret !== null) {
    const { signWebhook } = await import("@tillkit/client/webhooks");
    headers["x-service-signature"] = signWebhook(incoming.bytes, secret);
  }
  const resultOf = (status: number | null, problem: string | null): ForwardResult => ({
    status,
    problem,
    milliseconds: Math.round(performance.now() - started),
  });
  try {
    const response = await fetch(target, {
      method: "POST",
      headers,
      body: Buffer.from(incoming.bytes),
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    return resultOf(response.status, response.ok ? null : await reasonOf(response));
  } catch (error) {
    return resultOf(null, problemOf(error));
  }
}

/** Whether the service's signature of a webhook is by this secret. */
export async function isSignedBy(secret: string, { bytes, headers }: IncomingWebhook): Promise<boolean> {
  const { verifyWebhook } = await import("@tillkit/client/webhooks");
  const delivery: SignedDelivery = { bytes, signature: headers["x-service-signature"], secrets: [secret] };
  return verifyWebhook(delivery) !== null;
}

export function isDelivered({ status }: ForwardResult): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Whether the service sends the webhook again: after no answer, a redirect or a 5xx answer; it gives up after a 4xx answer. */
export function isRepeated({ status }: ForwardResult): boolean {
  return status === null || status >= 500 || (status >= 300 && status < 400);
}

export function forwardedLine(event: string, eventId: string, forwarded: ForwardResult): string {
  const { status, problem, milliseconds } = forwarded;
  const answer = color(status === null ? `no answer (${problem})` : String(status), isDelivered(forwarded));
  const reason = status === null || problem === null ? "" : `: ${problem}`;
  const line = `${formatTime(Date.now())}  ${event.padEnd(20)}  ${eventId}  → ${answer} in ${milliseconds} ms${reason}`;
  if (isDelivered(forwarded)) return line;
  return isRepeated(forwarded) ? `${line}; it will be repeated` : `${line}; it will not be repeated`;
}

const MAX_REASON = 300;

/** What the receiver says about its refusal, such as the reason of a 401: the message of our routes, or the beginning of any text. */
async function reasonOf(response: Response): Promise<string | null> {
  const text = await response.text().catch(() => "");
  const { redact } = await import("@tillkit/client");
  return redact(messageIn(text)).replace(/\s+/g, " ").trim().slice(0, MAX_REASON) || null;
}

function messageIn(text: string): string {
  try {
    const { message, error } = JSON.parse(text) as {
      readonly message?: unknown;
      readonly error?: { readonly message?: unknown };
    };
    const found = message ?? error?.message;
    return typeof found === "string" ? found : text;
  } catch {
    // A page for people says nothing that fits into one line.
    return text.trimStart().startsWith("<") ? "" : text;
  }
}

function problemOf(error: unknown): string {
  const { name, cause } = error as { readonly name?: string; readonly cause?: { readonly code?: string } };
  return name === "TimeoutError" ? `nothing within ${ANSWER_WITHIN_MS / 1000} s` : (cause?.code ?? "connection failed");
}
