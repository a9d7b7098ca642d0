import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The asynchronous storage of this name, one for the whole process. pnpm may install this package several times, once for each set
 * of peer dependencies, and Medusa then loads the routes from one copy and the payment provider from another: a storage that a
 * module creates for itself would be empty in the other copy.
 */
export function processStorage<Value>(name: string): AsyncLocalStorage<Value> {
  const key = Symbol.for(`@tillkit/medusa/${name}`);
  const holder = globalThis as { [key]?: AsyncLocalStorage<Value> };
  holder[key] ??= new AsyncLocalStorage<Value>();
  return holder[key];
}
