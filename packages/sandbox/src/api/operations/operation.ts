import type { Owner } from "../../organizations/owner.ts";
import type { Service, WriteContext } from "../../runtime/service.ts";
import type { Rows } from "../../storage/open-store.ts";
import type { ApiKeyRow } from "../../storage/organization-tables.ts";

/** A request that passed authentication, limits and headers. */
export type OperationCall = {
  service: Service;
  caller: Caller;
  params: Record<string, string>;
  query: URLSearchParams;
  /** Parsed JSON; undefined when the request had no body. */
  body: unknown;
  /** `X-Scenario-Key`, or "". */
  scenario: string;
};

/** `passing`: an answer that an Idempotency-Key does not keep. */
export type OperationResult = { status: 200 | 201 | 204; body: unknown; isTransient?: true };

/** An operation that only reads. */
export type ReadOperation = { read(call: OperationCall, rows: Rows): Promise<OperationResult> };

/** An operation that changes state: first its input is validated, then business rules decide within one transaction. */
export type WriteOperation<Input> = {
  validate(call: OperationCall): Input | Promise<Input>;
  change(call: OperationCall, input: Input, context: WriteContext): Promise<OperationResult>;
};

/** An operation that talks to somebody else on the way, so that it is no single change. It takes no Idempotency-Key. */
export type ExternalOperation = { run(call: OperationCall): Promise<OperationResult> };

/** A rail that is muted for good: nothing of the request is looked at. */
export type UnavailableOperation = { unavailable: string };

/** An operation, with what it does to its own input hidden. */
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

export function writeOperation<Input>({ validate, change }: WriteOperation<Input>): Operation {
  return {
    async prepare(call) {
      const input = await validate(call);
      return (state) => change(call, input, state);
    },
  };
}

/** A confirmation preview. An Idempotency-Key does not store it, because the second call uses the same key. */
export function previewResult(body: unknown): OperationResult {
  return { status: 200, body, isTransient: true };
}

/** Who calls: the key decides merchant and environment. */
export type Caller = Owner & { key: string; kind: ApiKeyRow["kind"] };
