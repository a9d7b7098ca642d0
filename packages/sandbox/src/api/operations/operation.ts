import { withoutLinks } from "../../domain/without-links.ts";
import type { Owner } from "../../organizations/owner.ts";
import type { Service, WriteContext } from "../../runtime/service.ts";
import type { SandboxDatabase } from "../../storage/open-store.ts";
import type { ApiKeyRow } from "../../storage/organization-tables.ts";

/** A request after authentication, rate limiting and header checks. */
export type OperationCall = {
  service: Service;
  caller: Caller;
  params: Record<string, string>;
  query: URLSearchParams;
  /** Parsed JSON. Undefined when the request has no body. */
  body: unknown;
  /** `X-Scenario-Key`, or "". */
  scenario: string;
};

/** `isTransient`: the result is not stored under the Idempotency-Key. */
export type OperationResult = { status: 200 | 201 | 204; body: unknown; isTransient?: true };

/** An operation that only reads. */
export type ReadOperation = { read(call: OperationCall, database: SandboxDatabase): Promise<OperationResult> };

/** An operation that changes state. `validate` checks the input, then `perform` runs in one database transaction. */
export type WriteOperation<Input> = {
  validate(call: OperationCall): Input | Promise<Input>;
  perform(call: OperationCall, input: Input, context: WriteContext): Promise<OperationResult>;
};

/** An operation without Idempotency-Key that posts to a merchant's webhook URL, so it cannot run in one database transaction. */
export type ExternalOperation = { run(call: OperationCall): Promise<OperationResult> };

/** An operation that always answers 503. `unavailable` is the error message. */
export type UnavailableOperation = { unavailable: string };

/** Any operation. `prepare` hides the input type of a {@link WriteOperation}. */
export type Operation =
  | ReadOperation
  | ExternalOperation
  | UnavailableOperation
  | { prepare(call: OperationCall): Promise<(context: WriteContext) => Promise<OperationResult>> };

export function readOperation(operation: ReadOperation["read"]): Operation {
  return { read: operation };
}

export function externalOperation(operation: ExternalOperation["run"]): Operation {
  return { run: operation };
}

export function writeOperation<Input>({ validate, perform }: WriteOperation<Input>): Operation {
  return {
    async prepare(call) {
      const input = await validate(call);
      return (context) => perform(call, input, context);
    },
  };
}

/** A confirmation preview. It is not stored under the Idempotency-Key, because the confirming call uses the same key. */
export function previewResult(body: unknown): OperationResult {
  return { status: 200, body, isTransient: true };
}

/** A transaction or a refund as reads return it under the setting `narrowReads`. */
export function linkedJson({ settings }: Service, resource: Record<string, unknown>): Record<string, unknown> {
  return settings.narrowReads === "bare" ? withoutLinks(resource) : resource;
}

/** The authenticated caller. The API key determines merchant and environment. */
export type Caller = Owner & { key: string; kind: ApiKeyRow["kind"] };
