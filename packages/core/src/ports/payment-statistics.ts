import type { Equation } from "../domain/equation.ts";
import type { Environment } from "../domain/order.ts";
import type { PaymentState } from "../domain/payment-states.ts";

/** Times in milliseconds since 1970. */
export type StatisticsQuery = {
  /** When each bar of a chart begins, in ascending order. The period begins with the first bar. */
  readonly bars: readonly number[];
  /** The end of the last bar, excluded. */
  readonly until: number;
  readonly storeId?: string;
  /** Test and live payments are only read together where nothing is added up over them. */
  readonly environment?: Environment;
};

export type PaymentStatistics = {
  /** Payments by the time of their creation. A group is a combination of the first five values. */
  readonly groups: readonly PaymentGroup[];
  /**
   * Of the newest `limits.measuredPayments` payments that are recorded on their orders: the milliseconds from the service's event
   * to the order. Never negative.
   */
  readonly orderDelaysMs: readonly number[];
  /** Of the newest `limits.measuredPayments` webhooks of all stores, or of those about payments of the environment: the milliseconds from the event to its arrival here. */
  readonly webhookDelaysMs: readonly number[];
};

export type PaymentGroup = {
  /** The index of the bar in the query's `bars`. */
  readonly bar: number;
  readonly environment: Environment;
  /** The currency of the payment's equation, which is that of the amount due until money in another currency arrives. */
  readonly currency: string;
  readonly state: PaymentState;
  readonly method: string | null;
  readonly count: number;
  /** The sum of the payments' equations. It names no transaction. */
  readonly equation: Equation;
};
