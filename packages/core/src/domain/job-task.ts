import type { Delivery } from "./delivery.ts";
import type { Finding } from "./finding.ts";
import type { JobKind, NewJob } from "./job.ts";
import { readFinding } from "./stored-finding.ts";

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
