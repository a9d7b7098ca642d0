import type { Change, Service } from "../service/service.ts";
import type { Rows } from "../storage/open-store.ts";
import type { Caller } from "./authenticate.ts";

/** A request that passed authentication, limits and headers. */
export type Call = {
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
export type Outcome = { status: 200 | 201 | 204; body: unknown; passing?: true };

/** An operation that only reads. */
export type Reading = { read(call: Call, rows: Rows): Promise<Outcome> };

/** An operation that changes state: first its input is validated, then business rules decide within one transaction. */
export type Writing<Input> = {
  validate(call: Call): Input | Promise<Input>;
  change(call: Call, input: Input, change: Change): Promise<Outcome>;
};

/** An operation that talks to somebody else on the way, so that it is no single change. It takes no Idempotency-Key. */
export type Acting = { act(call: Call): Promise<Outcome> };

/** A rail that is muted for good: nothing of the request is looked at. */
export type Closed = { closed: string };

/** An operation, with what it does to its own input hidden. */
export type Operation =
  | Reading
  | Acting
  | Closed
  | { prepare(call: Call): Promise<(change: Change) => Promise<Outcome>> };

export function reading(operation: Reading["read"]): Operation {
  return { read: operation };
}

export function acting(operation: Acting["act"]): Operation {
  return { act: operation };
}

export function writing<Input>({ validate, change }: Writing<Input>): Operation {
  return {
    async prepare(call) {
      const input = await validate(call);
      return (state) => change(call, input, state);
    },
  };
}
