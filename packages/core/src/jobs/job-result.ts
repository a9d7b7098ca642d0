import type { ProcessedDelivery } from "../domain/delivery.ts";

/**
 * How a job ended. `again`: when to try again, null when trying again does not help; `exact`: then and not a moment later,
 * because the platform says so. A finished delivery says what came of it.
 */
export type JobResult =
  | "done"
  | { readonly processed: ProcessedDelivery }
  | {
      readonly retryAt: number | null;
      readonly error: string;
      readonly isExactTime?: boolean;
      /** The service's own name of the request that failed. */
      readonly requestId?: string | null;
    };
