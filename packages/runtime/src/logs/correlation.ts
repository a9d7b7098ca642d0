import { AsyncLocalStorage } from "node:async_hooks";
import type { Log, LogFields } from "@tillkit/core";

/** `request`: the id of the HTTP request; `round`: the id of the timer's round. */
export type CorrelationIds = { readonly request?: string; readonly round?: string; readonly paymentId?: string };

/** Ids of one request or one round of work, available to all code that runs in it. */
export type Correlation = {
  /** Runs `work` with the current ids and the added ids. */
  run<Result>(added: CorrelationIds, work: () => Result): Result;
  current(): CorrelationIds;
  /** Returns a log that adds the current ids to each line. */
  log(log: Log): Log;
};

// One storage for all servers of the process: Node visits every storage for each new promise, also after its server has closed.
const storage = new AsyncLocalStorage<ReadonlyMap<symbol, CorrelationIds>>();

export function createCorrelation(): Correlation {
  const key = Symbol("correlation");
  const current = () => storage.getStore()?.get(key) ?? {};
  const withIds = (fields: LogFields | undefined): LogFields => ({ ...current(), ...fields });

  return {
    run: (added, work) => storage.run(new Map(storage.getStore()).set(key, { ...current(), ...added }), work),
    current,
    log: (log) => ({
      info: (message, fields) => log.info(message, withIds(fields)),
      warn: (message, fields) => log.warn(message, withIds(fields)),
      error: (message, fields) => log.error(message, withIds(fields)),
    }),
  };
}
