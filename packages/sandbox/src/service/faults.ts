import { z } from "zod";
import { limits } from "../limits.ts";
import { type Store, writeMeta } from "../storage/open-store.ts";
import { Refusal } from "./refusal.ts";

const statuses = [400, 401, 403, 404, 409, 429, 500, 502, 503, 504] as const;

const faultRequest = z
  .strictObject({
    method: z.enum(["GET", "POST", "PATCH", "DELETE"], { error: "must be GET, POST, PATCH or DELETE" }),
    path: z.string().startsWith("/", { error: "must begin with a slash" }).max(200),
    when: z.enum(["before", "after"], { error: "must be before or after" }).optional(),
    status: z
      .union(
        statuses.map((status) => z.literal(status)),
        { error: `must be one of ${statuses.join(", ")}` },
      )
      .optional(),
    retryAfterSeconds: z.int().min(0).max(86_400).optional(),
    reset: z.literal(true).optional(),
    delayMs: z.int().min(1).max(3_600_000).optional(),
    cutBody: z.literal(true).optional(),
    patch: z.record(z.string(), z.unknown()).optional(),
    times: z.int().min(1).max(1_000_000).optional(),
  })
  .superRefine((fault, context) => {
    const problem = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    const kinds = [fault.status, fault.reset, fault.delayMs, fault.cutBody, fault.patch].filter(
      (kind) => kind !== undefined,
    );
    if (kinds.length !== 1) problem("status", "name exactly one of status, reset, delayMs, cutBody, patch");
    const spoils = fault.cutBody !== undefined || fault.patch !== undefined;
    if (spoils && fault.when === "before") problem("when", "cutBody and patch spoil an answer: when must be after");
  });

export type FaultRequest = z.input<typeof faultRequest>;
export type Fault = z.output<typeof faultRequest> & { when: "before" | "after"; times: number };

/** Faults that wait for a request; they survive a restart. */
export type Faults = {
  list(): readonly Fault[];
  /** @throws Refusal `bad_request` */
  add(request: unknown): Promise<Fault>;
  clear(): Promise<void>;
  /** These, and no others. */
  replace(faults: readonly Fault[]): Promise<void>;
  /** The oldest fault that fits this request, used up by one. A fault names the route, `/transactions/{id}`, or the very path. */
  take(method: string, route: string, path: string): Fault | null;
};

export function createFaults(store: Store, stored: unknown): Faults {
  let waiting: Fault[] = Array.isArray(stored) ? stored : [];

  async function keep(): Promise<void> {
    const faults = waiting;
    await store.write((rows) => writeMeta(rows, "faults", faults));
  }

  async function replace(faults: readonly Fault[]): Promise<void> {
    waiting = [...faults];
    await keep();
  }

  return {
    list: () => waiting,
    async add(request) {
      const fault = readFault(request);
      if (waiting.length >= limits.faults) {
        throw new Refusal(
          "bad_request",
          `There are already ${limits.faults} faults: delete them with DELETE /sandbox/faults.`,
        );
      }
      waiting = [...waiting, fault];
      await keep();
      return fault;
    },
    clear: () => replace([]),
    replace,
    take(method, route, path) {
      const hit = waiting.find((fault) => fault.method === method && (fault.path === route || fault.path === path));
      if (hit === undefined) return null;
      waiting = waiting.flatMap((fault) => {
        if (fault !== hit) return [fault];
        return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [];
      });
      // Not awaited: a crash may bring a used fault back, and the request must not wait for the disk.
      keep().catch((error: Error) => process.emitWarning(error));
      return hit;
    },
  };
}

function readFault(request: unknown): Fault {
  const parsed = faultRequest.safeParse(request);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.code === "unrecognized_keys" ? `"${issue.keys[0]}"` : `"${issue?.path.join(".")}"`;
    throw new Refusal("bad_request", `The fault is not understood: ${field}: ${issue?.message}.`);
  }
  const { path, when, times, ...rest } = parsed.data;
  const spoils = rest.cutBody !== undefined || rest.patch !== undefined;
  return {
    ...rest,
    path: path.replace(/^\/v1(?=\/)/, ""),
    when: when ?? (spoils ? "after" : "before"),
    times: times ?? 1,
  };
}
