import type {
  CheckoutStart,
  Dispute,
  Environment,
  OrderRef,
  Payment,
  Refund,
  RefundRequest,
  StoreAdapter,
  Verdict,
} from "@tillkit/core";
import type { DisputeOutcome } from "@tillkit/core/ledger";

/**
 * Where a process kills itself: at its n-th call of one step, of any step of the lives of shops (`shops`), or of any step at all (null).
 * Counted from 1.
 */
export type CrashPoint = { readonly step: string | null; readonly nth: number; readonly moment: "before" | "after" };

/**
 * Where a process stops itself with SIGSTOP, at its first call of one step. `during`: after this many turns of the event loop, so that
 * its request waits for a connection or has left. `suspended`: the machine sleeps, so the monotonic clock stands
 * still; else it runs on. `folder`: where the first process to arrive leaves a mark, because only one of them stops, and finds the
 * time when it continues.
 */
export type FreezePoint = {
  readonly step: string;
  readonly moment: "before" | "during" | "after";
  readonly turns: number;
  readonly suspended: boolean;
  readonly folder: string;
};

/** Describes a store to a server process. The store's calls go to the process that holds the shop. */
export type StoreDescription = {
  readonly storeId: string;
  readonly platform: string;
  readonly writes: StoreAdapter["writes"];
  /** The methods of the store's adapter. */
  readonly methods: readonly string[];
};

/** `all`: receives requests and runs jobs. `server`: receives requests. `worker`: runs jobs. */
export type Role = "all" | "server" | "worker";

export type StartOptions = {
  readonly role: Role;
  readonly ledgerUrl: string;
  readonly clockOffsetMs: number;
  readonly publicUrl: string;
  readonly shopUrl: string;
  /** `self-service`: owners connect their shops themselves, with invitations. */
  readonly stores: readonly StoreDescription[] | "self-service";
  readonly service: { readonly baseUrl: string; readonly apiKey: string; readonly webhookSecret: string };
  readonly crashPoint: CrashPoint | null;
  readonly freezePoint: FreezePoint | null;
  /** The file that receives the length up to which the write-ahead log is on the disk, or null. */
  readonly durableFile: string | null;
};

/** The requests to a server process and their results. */
export type Requests = {
  startCheckout: { input: { ref: OrderRef; attempt: string }; result: CheckoutStart };
  payment: { input: { paymentId: string }; result: Payment | null };
  verify: { input: { paymentId: string }; result: { status: Verdict["status"] } };
  refund: { input: RefundRequest; result: Refund };
  acceptReview: { input: { paymentId: string }; result: string };
  refundShown: { input: { paymentId: string }; result: string };
  decideDispute: { input: { paymentId: string; disputeId: string; outcome: DisputeOutcome }; result: null };
  nameTransaction: { input: { paymentId: string; transactionId: string }; result: string };
  disputes: { input: { paymentId: string }; result: readonly Dispute[] };
  /** Adds what the service shows of this credential and the ledger lacks. */
  recover: { input: { credentialId: string; from: number }; result: readonly string[] };
  /** `offsetMs`: how far the clock of the tests is ahead of the machine's clock. */
  advanceTime: { input: { offsetMs: number }; result: null };
  activity: { input: null; result: ProcessActivity };
  /** An operator invites a shop. */
  invite: { input: null; result: string };
  paymentsOfOrder: { input: OrderRef; result: readonly Payment[] };
  steps: { input: null; result: Readonly<Record<string, number>> };
};

/** `busy`: the number of calls to other systems in flight. `calls`: the number of calls since the process started. */
export type ProcessActivity = { readonly busy: number; readonly calls: number; readonly nextDueAt: number | null };

export type RequestMessage = { readonly id: number; readonly name: keyof Requests; readonly input: unknown };

export type ProcessMessage =
  | { readonly kind: "loaded" }
  | { readonly kind: "freezing" }
  | { readonly kind: "serving"; readonly port: number }
  | { readonly kind: "answer"; readonly id: number; readonly result: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly failure: Failure };

export type Failure = { readonly code: string; readonly message: string; readonly retryable: boolean };

/** The keys of the merchant's servers, which encrypt what is secret in the ledger. */
export const KEYS: readonly string[] = ["a key of processes that are killed, long enough to sign with"];
export const ENDPOINT_ID = "main";
export const ENVIRONMENT: Environment = "test";
