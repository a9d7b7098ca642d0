import type { WebhookTopic } from "../config/webhook-topics.ts";
import type { ModificationKind } from "../operations/payments-operations.ts";
import type { RejectionReason } from "../texts/rejection-texts.ts";

/** The task that a webhook of Shopify leads to. It contains only the order and refund numbers of the body. */
export type WebhookTask = {
  readonly topic: WebhookTopic;
  /** Milliseconds since 1970. */
  readonly triggeredAt: number;
  /** Numbers, as in Shopify's webhooks. */
  readonly orderIds: readonly string[];
  readonly refundId: string | null;
};

/** The task that a refund, capture or void session of Shopify leads to. Times in milliseconds since 1970. */
export type ModificationTask = {
  readonly kind: ModificationKind;
  readonly id: string;
  readonly gid: string;
  /** Shopify's id of the payment session. */
  readonly paymentId: string;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly test: boolean;
  /** The final result, which is sent to Shopify. Null while it is not known. */
  readonly result: ModificationResult | null;
  /** When the refund was requested from the service, and when it was last read from the service. */
  readonly requestedAt: number | null;
  readonly readAt: number | null;
};

/** `attempts` counts the mutations that were sent to Shopify. `decideAt`: the page on which a person decides about the payment. */
export type ModificationResult =
  | { readonly kind: "resolve"; readonly attempts: number }
  | {
      readonly kind: "reject";
      readonly reason: RejectionReason;
      readonly decideAt: string | null;
      readonly attempts: number;
    };
