import type { Page, PageRequest } from "./ledger-view.ts";

/** The log of what operators did. Nothing in it is ever changed. */
export interface OperatorActs {
  recordAct(act: OperatorAct): Promise<void>;
  /** Newest first. */
  listActs(query: { paymentId?: string } & PageRequest): Promise<Page<OperatorAct>>;
}

export type OperatorAct = {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The name of the operator's token, with the name that the person gave where the act asked for a name. Never an e-mail. */
  readonly by: string;
  /** What was done: `refund`, `accept`, `retry`, `log_in`, … */
  readonly act: string;
  readonly paymentId: string | null;
  /** An amount, a job or an endpoint, in words. */
  readonly detail: string;
};
