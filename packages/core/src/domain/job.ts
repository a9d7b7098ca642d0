import type { Delivery } from "./delivery.ts";
import type { Finding } from "./finding.ts";
import { readFinding } from "./stored-finding.ts";

/**
 * The kinds of jobs that this version knows. A process claims no other job: a newer version that shares the ledger may have added
 * it. A job whose payload changes its meaning is therefore a new kind.
 */
export const JOB_KINDS = [
  "confirm",
  "delivery",
  "refund",
  "auto-refund",
  "note",
  "hold",
  "pending",
  "refuse",
  "reopen",
  "compare",
] as const;

export type JobKind = (typeof JOB_KINDS)[number];

/** The kind of a job that a host runs: the name of its platform and of the task, such as `shopify.webhook`. */
export type HostJobKind = `${string}.${string}`;

export function isHostJobKind(kind: JobKind | HostJobKind): kind is HostJobKind {
  return kind.includes(".");
}

export function isKnownJobKind(kind: string): kind is JobKind {
  return JOB_KINDS.some((known) => known === kind);
}

/** Work that becomes due at `dueAt`. `payload` holds what the work is about: a task of ours (`job-task.ts`), or a text of the host. */
export type Job = {
  readonly id: string;
  readonly kind: JobKind | HostJobKind;
  readonly storeId: string | null;
  readonly paymentId: string | null;
  readonly payload: string;
  readonly dueAt: number;
  readonly attempts: number;
};

export type NewJob = NewPaymentJob | NewHostJob;

/**
 * `once`: the job is skipped when an unclaimed job of the same kind, payment and payload is due at the same time or earlier.
 * That job will read the same state.
 */
export type NewPaymentJob = Omit<Job, "id" | "attempts" | "kind"> & { readonly kind: JobKind; readonly once?: true };

/**
 * A job that a host runs. It is due at once. `uniqueKey` names what asks for it, such as the id of a platform's webhook: a store gets
 * one job of a key. A job with a known key is skipped, also after that job is done.
 */
export type NewHostJob = Omit<Job, "id" | "attempts" | "kind" | "storeId"> & {
  readonly kind: HostJobKind;
  readonly storeId: string;
  readonly uniqueKey: string;
};

/** Keeps the power in `exponentialBackoff` finite. Every wait has reached its `maxMs` by then. */
const MAX_GROWTH_STEPS = 20;

/** Whole milliseconds until the next attempt: the wait grows by `growth` with each attempt up to `maxMs`. `attempts` counts from 1. */
export function exponentialBackoff(firstMs: number, maxMs: number, attempts: number, growth = 2): number {
  return Math.min(Math.round(firstMs * growth ** Math.min(attempts - 1, MAX_GROWTH_STEPS)), maxMs);
}

/**
 * Why an attempt did not finish its job. `code` is the code of the thrown error, or names what the job waits for: `busy`,
 * `write_in_flight`, `stale`, `scheduled`, or the state of a refund. `message` is a sentence for the log, without personal data: no code reads it.
 */
export type JobError = { readonly code: string; readonly message: string; readonly reason?: JobReason };

/** What an error says besides its code. `platform_error`: `code` is the platform's own, such as Medusa's `not_allowed`. */
export type JobReason = { readonly kind: "platform_error"; readonly code: string };

const WAITING: ReadonlySet<string> = new Set(["busy", "write_in_flight", "stale", "scheduled"]);

/** Whether the error only means that the job waits, and has not failed. */
export function isWaiting({ code }: JobError): boolean {
  return WAITING.has(code);
}

/** The error of a job whose refund was paid and which the store never accepts any more. */
export const REFUND_NOT_RECORDED = "refund_not_recorded";

/** Whether a person ends the job, by recording its refund in the store by hand: another attempt cannot help. */
export function isDoneByHand(error: Pick<JobError, "code"> | null): boolean {
  return error?.code === REFUND_NOT_RECORDED;
}

/** Another worker holds the order's lease. */
export const BUSY: JobError = { code: "busy", message: "Another worker is writing this order." };

/** A request to the store, whose response was lost, may still take effect. */
export const WRITE_IN_FLIGHT: JobError = {
  code: "write_in_flight",
  message: "An earlier write may still take effect.",
};

/** A job of a host goes on later. */
export const SCHEDULED: JobError = { code: "scheduled", message: "The next step comes later." };

/** `code: message`, for logs and lists. */
export function formatJobError({ code, message }: JobError): string {
  return `${code}: ${message}`;
}

/** What a job is about: the facts of its kind. A transaction is undefined where the event named none. */
export type JobTask =
  /** `retry`: a write to the store is repeated. `signal`: the payment may have changed. */
  | { readonly kind: "confirm"; readonly why: "retry" | "signal" }
  /** The service reports success, so the confirm is repeated for a while until the session shows it. */
  | { readonly kind: "confirm"; readonly why: "success"; readonly transactionId: string | undefined }
  /** The scheduled read of this time. */
  | { readonly kind: "confirm"; readonly why: "check"; readonly at: number }
  | { readonly kind: "delivery"; readonly endpointId: string; readonly digest: string }
  /** `key` is null where everything that moved is to be read. */
  | { readonly kind: "refund"; readonly key: string | null }
  | { readonly kind: "note"; readonly about: "duplicate" }
  /** `refund_failed` and `refund_made`: the store was told otherwise of this refund. `surplus`: a further transaction, by its id. */
  | {
      readonly kind: "note";
      readonly about: "dispute" | "refund_failed" | "refund_made" | "surplus";
      readonly key: string;
    }
  | { readonly kind: "hold"; readonly finding: Finding }
  | { readonly kind: "pending"; readonly transactionId: string | undefined }
  | { readonly kind: "auto-refund" | "refuse" | "reopen" | "compare" };

export type TaskOf<Kind extends JobKind> = Extract<JobTask, { readonly kind: Kind }>;

/** The job that processes a stored delivery. */
export function deliveryJob({ endpointId, digest }: Pick<Delivery, "endpointId" | "digest">, dueAt: number): NewJob {
  const payload = payloadOf({ kind: "delivery", endpointId, digest });
  return { kind: "delivery", storeId: null, paymentId: null, payload, dueAt };
}

/** The form in which ledgers store the facts of a task. */
export function payloadOf(task: JobTask): string {
  const [write] = FORMS[task.kind] as Form<JobTask>;
  return write(task);
}

/** The reverse of `payloadOf`. */
export function readTask(kind: JobKind, payload: string): JobTask {
  const [, read] = FORMS[kind] as Form<JobTask>;
  return { kind, ...read(payload) } as JobTask;
}

type Form<Task> = readonly [write: (task: Task) => string, read: (payload: string) => object];
const NO_FACTS: Form<never> = [() => "", () => ({})];

/** Older and newer versions share a ledger, so the form of a kind never changes. */
const FORMS: { readonly [Kind in JobKind]: Form<TaskOf<Kind>> } = {
  confirm: [writeConfirm, readConfirm],
  delivery: [({ endpointId, digest }) => JSON.stringify({ endpointId, digest }), JSON.parse],
  refund: [({ key }) => key ?? "", (payload) => ({ key: payload || null })],
  note: [writeNote, readNote],
  hold: [({ finding }) => JSON.stringify(finding), (payload) => ({ finding: readFinding(JSON.parse(payload)) })],
  pending: [({ transactionId = "" }) => transactionId, (payload) => ({ transactionId: payload || undefined })],
  "auto-refund": NO_FACTS,
  refuse: NO_FACTS,
  reopen: NO_FACTS,
  compare: NO_FACTS,
};

function writeConfirm(task: TaskOf<"confirm">): string {
  if (task.why === "check") return JSON.stringify({ check: task.at });
  if (task.why === "success") return `success ${task.transactionId ?? ""}`.trim();
  return task.why === "signal" ? "signal" : "";
}

function readConfirm(payload: string): object {
  if (payload.startsWith("{")) return { why: "check", at: (JSON.parse(payload) as { check: number }).check };
  const [, transactionId] = /^success ?(.*)$/.exec(payload) ?? [];
  if (transactionId !== undefined) return { why: "success", transactionId: transactionId || undefined };
  return { why: payload === "signal" ? "signal" : "retry" };
}

function writeNote(task: TaskOf<"note">): string {
  return task.about === "duplicate" ? task.about : `${task.about}:${task.key}`;
}

function readNote(payload: string): object {
  const [, about, key] = /^(dispute|refund_failed|refund_made|surplus):(.*)$/.exec(payload) ?? [];
  return about === undefined ? { about: "duplicate" } : { about, key };
}
