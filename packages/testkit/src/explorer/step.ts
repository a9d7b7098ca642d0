import type { ExploredProcess } from "./explored-process.ts";

/** `shop`: a request of an adapter. `work`: what the shop does with a request that it has read. `act`: somebody outside acts. */
export type PortName = "ledger" | "service" | "shop" | "work" | "act";

/** A call that waits for its turn. Its effect happens, and its answer arrives, when it is released. */
export type ParkedStep = {
  readonly port: PortName;
  readonly method: string;
  /** The process that calls; null: somebody outside. The shop works on a request also when its sender is dead. */
  readonly process: ExploredProcess | null;
  readonly isWrite: boolean;
  readonly given: readonly unknown[];
  /** Performs the effect and returns the answer. */
  perform(): Promise<unknown>;
  /** Delivers the answer to the caller, unless its process is dead. */
  answer(result: Result): void;
  /** The request travelled for long already, so the shop works on it at once. */
  readonly isLate?: boolean;
};

export type Result = { readonly value: unknown } | { readonly error: unknown };

export function nameOfStep({ process, port, method }: ParkedStep): string {
  return `${process === null ? "" : `${process.name}: `}${port} ${method}`;
}
