import type { Endpoint, OperationId } from "../api/endpoints.ts";
import type { ServiceErrorCode } from "../errors/service-error.ts";

/**
 * For logs, metrics and traces. Each `request` is followed by exactly one `response`, also when the request fails. No
 * event holds a key, a body or personal data. The client drops what a hook throws, so that a hook cannot break a call.
 */
export type Hooks = {
  readonly request?: (event: RequestEvent) => void;
  readonly response?: (event: ResponseEvent) => void;
  readonly retry?: (event: RetryEvent) => void;
};

export type RequestEvent = {
  /** The number of the call, the same for all its attempts. */
  readonly call: number;
  readonly operation: OperationId;
  readonly method: Endpoint["method"];
  /** The path of the endpoint table, without ids. */
  readonly path: string;
  /** 1 for the first attempt. */
  readonly attemptNumber: number;
};

export type ResponseEvent = RequestEvent & {
  readonly status: number | undefined;
  readonly requestId: string | null;
  readonly durationMs: number;
  /** The error code; undefined for a success. */
  readonly code: ServiceErrorCode | undefined;
  /** Node's code of a connection that failed, such as `ECONNREFUSED`; `connectionFix` knows what ends it. */
  readonly fault: string | undefined;
};

export type RetryEvent = RequestEvent & { readonly code: ServiceErrorCode; readonly waitMs: number };

/** Wraps the hooks so that none throws. */
export function safeHooks({ request, response, retry }: Hooks): Hooks {
  return {
    ...(request && { request: safe(request) }),
    ...(response && { response: safe(response) }),
    ...(retry && { retry: safe(retry) }),
  };
}

function safe<E>(hook: (event: E) => void): (event: E) => void {
  return (event) => {
    try {
      hook(event);
    } catch {
      // A faulty hook must not fail the call.
    }
  };
}
