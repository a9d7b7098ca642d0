import { AsyncLocalStorage } from "node:async_hooks";
import type { Log, LogFields } from "@tillkit/core";

/** `request`: the id of the HTTP request, `round`: of the timer's round. */
export type Correlated = { readonly request?: string; readonly round?: string; readonly paymentId?: string };

/** What one request or one round of work is about, known to everything that runs in it. */
export type Correlation = {
  /** Runs with what is known already, and more. */
  run<Answer>(about: Correlated, work: () => Answer): Answer;
  current(): Correlated;
  /** The same log, each line of which says what it belongs to. */
  log(log: Log): Log;
};

export function createCorrelation(): Correlation {
  const storage = new AsyncLocalStorage<Correlated>();
  const current = () => storage.getStore() ?? {};
  const told = (fields: LogFields | undefined): LogFields => ({ ...current(), ...fields });

  return {
    run: (about, work) => storage.run({ ...current(), ...about }, work),
    current,
    log: (log) => ({
      info: (message, fields) => log.info(message, told(fields)),
      warn: (message, fields) => log.warn(message, told(fields)),
      error: (message, fields) => log.error(message, told(fields)),
    }),
  };
}
