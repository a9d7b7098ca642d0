import type {
  CheckoutStart,
  Environment,
  OrderRef,
  Payment,
  Refund,
  RefundRequest,
  StoreAdapter,
  Verdict,
} from "@tillkit/core";

/** Where a process is to kill itself: at its n-th call of one step, or at its n-th call of any. Counted from 1. */
export type Death = { readonly step: string | null; readonly nth: number; readonly moment: "before" | "after" };

/** What a store says of itself; its calls go to the process that has the shop. */
export type StoreCard = {
  readonly storeId: string;
  readonly platform: string;
  readonly writes: StoreAdapter["writes"];
  /** The methods that its adapter has. */
  readonly methods: readonly string[];
};

/** `all`: receives and works · `server`: receives and shows pages · `worker`: works. */
export type Role = "all" | "server" | "worker";

export type StartOrder = {
  readonly role: Role;
  readonly ledgerUrl: string;
  readonly clockOffsetMs: number;
  readonly publicUrl: string;
  readonly shopUrl: string;
  readonly stores: readonly StoreCard[];
  readonly service: { readonly baseUrl: string; readonly apiKey: string; readonly webhookSecret: string };
  readonly death: Death | null;
  /** Gets the length up to which the write-ahead log is known to be on the disk; null: nobody asks. */
  readonly durableFile: string | null;
};

/** What a process is asked, and what it answers. */
export type Asks = {
  startCheckout: { ask: { ref: OrderRef; attempt: string }; answer: CheckoutStart };
  payment: { ask: { paymentId: string }; answer: Payment | null };
  verify: { ask: { paymentId: string }; answer: { status: Verdict["status"] } };
  refund: { ask: RefundRequest; answer: Refund };
  acceptReview: { ask: { paymentId: string }; answer: string };
  refundReview: { ask: { paymentId: string }; answer: string };
  jump: { ask: { ms: number }; answer: null };
  look: { ask: null; answer: ProcessLook };
  steps: { ask: null; answer: Readonly<Record<string, number>> };
};

/** `busy`: calls to the outside that are under way. */
export type ProcessLook = { readonly busy: number; readonly calls: number; readonly nextDueAt: number | null };

export type Question = { readonly id: number; readonly what: keyof Asks; readonly ask: unknown };

export type Said =
  | { readonly say: "loaded" }
  | { readonly say: "serving"; readonly port: number }
  | { readonly say: "answer"; readonly id: number; readonly answer: unknown }
  | { readonly say: "failed"; readonly id: number; readonly failure: Failure };

export type Failure = { readonly code: string; readonly message: string; readonly retryable: boolean };

export const ENDPOINT_ID = "main";
export const ENVIRONMENT: Environment = "test";
