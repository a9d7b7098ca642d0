import type { Delivery } from "./delivery.ts";
import type { Finding } from "./finding.ts";
import type { JobKind, NewJob } from "./job.ts";
import { readFinding } from "./stored-finding.ts";

/** What a job is about: the facts of its kind. A transaction is null where the event named none. */
export type JobTask =
  /** `retry`: a write to the store is repeated. `signal`: the payment may have changed. */
  | { readonly kind: "confirm"; readonly why: "retry" | "signal" }
  /** The service reports success, so the confirm is repeated for a while until the session shows it. */
  | { readonly kind: "confirm"; readonly why: "success"; readonly transactionId: string | null }
  /** The scheduled read of this time. */
  | { readonly kind: "confirm"; readonly why: "check"; readonly at: number }
  | { readonly kind: "delivery"; readonly endpointId: string; readonly digest: string }
  /** `key` is null where everything that moved is to be read. */
  | { readonly kind: "refund"; readonly key: string | null }
  | { readonly kind: "note"; readonly about: "duplicate" }
  /** Under its key the store adds the note once. */
  | { readonly kind: "note"; readonly about: "dispute"; readonly noteKey: DisputeNoteKey }
  /** The store shows the refund as pending and it failed, or as failed and it was made. */
  | { readonly kind: "note"; readonly about: "refund_failed" | "refund_made"; readonly key: string }
  | { readonly kind: "hold"; readonly finding: Finding }
  | { readonly kind: "pending"; readonly transactionId: string | null }
  | { readonly kind: "auto-refund" | "refuse" | "reopen" | "compare" };

export type TaskOf<Kind extends JobKind> = Extract<JobTask, { readonly kind: Kind }>;

export type DisputeNoteKey = `dispute:${string}`;

/** The job that processes a stored delivery. */
export function deliveryJob({ endpointId, digest }: Pick<Delivery, "endpointId" | "digest">, dueAt: number): NewJob {
  const payload = payloadOf({ kind: "delivery", endpointId, digest });
  return { kind: "delivery", storeId: null, paymentId: null, payload, dueAt };
}

/** The form in which ledgers store the facts. Older and newer versions share a ledger, so the form of a kind never changes. */
export function payloadOf(task: JobTask): string {
  switch (task.kind) {
    case "confirm":
      if (task.why === "check") return JSON.stringify({ check: task.at });
      if (task.why === "success") return `success ${task.transactionId ?? ""}`.trim();
      return task.why === "signal" ? "signal" : "";
    case "delivery":
      return JSON.stringify({ endpointId: task.endpointId, digest: task.digest });
    case "refund":
      return task.key ?? "";
    case "note":
      if (task.about === "duplicate") return "duplicate";
      return task.about === "dispute" ? task.noteKey : `${task.about}:${task.key}`;
    case "hold":
      return JSON.stringify(task.finding);
    case "pending":
      return task.transactionId ?? "";
    default:
      return "";
  }
}

/** The reverse of `payloadOf`. */
export function readTask(kind: JobKind, payload: string): JobTask {
  switch (kind) {
    case "confirm":
      return readConfirm(payload);
    case "delivery":
      return { kind, ...(JSON.parse(payload) as Omit<TaskOf<"delivery">, "kind">) };
    case "refund":
      return { kind, key: payload || null };
    case "note":
      return readNote(payload);
    case "hold":
      return { kind, finding: readFinding(JSON.parse(payload)) };
    case "pending":
      return { kind, transactionId: payload || null };
    default:
      return { kind };
  }
}

function readConfirm(payload: string): TaskOf<"confirm"> {
  const kind = "confirm";
  if (payload.startsWith("{")) return { kind, why: "check", at: (JSON.parse(payload) as { check: number }).check };
  const [, transactionId] = /^success ?(.*)$/.exec(payload) ?? [];
  if (transactionId !== undefined) return { kind, why: "success", transactionId: transactionId || null };
  return { kind, why: payload === "signal" ? "signal" : "retry" };
}

function readNote(payload: string): TaskOf<"note"> {
  const kind = "note";
  const [about = "", ...key] = payload.split(":");
  if (about === "dispute") return { kind, about, noteKey: payload as DisputeNoteKey };
  if (about === "refund_failed" || about === "refund_made") return { kind, about, key: key.join(":") };
  return { kind, about: "duplicate" };
}
