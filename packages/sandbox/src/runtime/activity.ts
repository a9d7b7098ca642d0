/** What the sandbox just did, for programs that print it. Holds no key, no body and no query. */
export type Activity =
  | {
      readonly kind: "request";
      readonly method: string;
      /** As the client sent it, with or without `/v1`. */
      readonly path: string;
      /** Null when a fault closed the connection without an answer. */
      readonly status: number | null;
      readonly durationMs: number;
      readonly errorCode: string | null;
      readonly replayed: boolean;
      /** The fault that changed the answer, such as `after reset`. */
      readonly fault: string | null;
    }
  | {
      readonly kind: "webhook";
      readonly event: string;
      readonly attempt: number;
      /** Null when the endpoint did not answer; `error` says why. */
      readonly status: number | null;
      readonly error: string | null;
      readonly durationMs: number;
    }
  /** The event was stored, and no active endpoint is subscribed to it. */
  | { readonly kind: "undelivered"; readonly event: string };

/** One line for a terminal: `POST /v1/checkout-sessions 201 12 ms`, `webhook PAYMENT_SUCCEEDED → 200 in 12 ms`. */
export function activityLine(activity: Activity): string {
  if (activity.kind === "undelivered") return `webhook ${activity.event} → no endpoint is subscribed`;
  if (activity.kind === "webhook") {
    const { event, status, error, durationMs, attempt } = activity;
    return `webhook ${event} → ${status ?? error} in ${durationMs} ms${attempt > 1 ? `, attempt ${attempt}` : ""}`;
  }
  const { method, path, status, durationMs, errorCode, replayed, fault } = activity;
  const notes = [errorCode, replayed && "replayed", fault !== null && `fault: ${fault}`].filter(Boolean).join(", ");
  const line = `${method} ${printable(path)} ${status ?? "no answer"} ${durationMs} ms`;
  return notes === "" ? line : `${line} (${notes})`;
}

const longestPath = 120;

/** A client chooses the path, so characters that could steer a terminal are escaped, and a long path is cut. */
function printable(path: string): string {
  const safe = path.replace(
    /[^\x21-\x7e]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
  return safe.length > longestPath ? `${safe.slice(0, longestPath)}…` : safe;
}
