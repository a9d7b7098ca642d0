import type { Endpoint, OperationId } from "../api/endpoints.ts";
import type { ServiceErrorCode } from "../errors/service-error.ts";

/**
 * For logs, metrics and traces. Each `request` is followed by exactly one `response`, a failed one too. No event holds a
 * key, a body or personal data. What a hook throws is dropped: watching a call never breaks it.
 */
export type Hooks = {
  readonly request?: (event: RequestEvent) => void;
  readonly response?: (event: ResponseEvent) => void;
  readonly retry?: (event: RetryEvent) => void;
};

export type RequestEvent = {
  /** The same for all tries of one call. */
  readonly call: number;
  readonly operation: OperationId;
  readonly method: Endpoint["method"];
  /** The path of the table, without ids. */
  readonly path: string;
  /** 1 for the first. */
  readonly tryNumber: number;
};

export type ResponseEvent = RequestEvent & {
  readonly status: number | undefined;
  readonly requestId: string | null;
  readonly durationMs: number;
  /** Undefined for a success. */
  readonly code: ServiceErrorCode | undefined;
};

export type RetryEvent = RequestEvent & { readonly code: ServiceErrorCode; readonly waitMs: number };

/** The same hooks, none of which throws. */
export function safeHooks(hooks: Hooks): Required<Hooks> {
  const safe =
    <E>(hook: ((event: E) => void) | undefined) =>
    (event: E): void => {
      try {
        hook?.(event);
      } catch {
        // A watcher's fault is not the call's.
      }
    };
  return { request: safe(hooks.request), response: safe(hooks.response), retry: safe(hooks.retry) };
}
