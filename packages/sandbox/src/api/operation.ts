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
};

export type Outcome = { status: 200 | 201 | 204; body: unknown };

/** An operation that only reads. */
export type Reading = { read(call: Call, rows: Rows): Promise<Outcome> };

/** An operation that changes state: first its input is validated, then business rules decide within one transaction. */
export type Writing<Input> = {
  validate(call: Call): Input | Promise<Input>;
  change(call: Call, input: Input, change: Change): Promise<Outcome>;
};

/** An operation, with what it does to its own input hidden. */
export type Operation = Reading | { prepare(call: Call): Promise<(change: Change) => Promise<Outcome>> };

export function reading(operation: Reading["read"]): Operation {
  return { read: operation };
}

export function writing<Input>({ validate, change }: Writing<Input>): Operation {
  return {
    async prepare(call) {
      const input = await validate(call);
      return (state) => change(call, input, state);
    },
  };
}
