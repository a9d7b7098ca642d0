import { z } from "zod";
import { ApiError, type ApiErrorCode, statusByCode } from "../domain/api-error.ts";

const statuses = [400, 401, 403, 404, 409, 429, 500, 502, 503, 504] as const;
const codes = Object.keys(statusByCode) as ApiErrorCode[];
const HOUR_MS = 3_600_000;
const YEAR_MS = 31_536_000_000;
/** The largest `times`, which is the default of a fault that is limited by a share or by time. */
const UNLIMITED_TIMES = 1_000_000;

const faultRequest = z
  .strictObject({
    method: z.enum(["GET", "POST", "PATCH", "DELETE"], { error: "must be GET, POST, PATCH or DELETE" }),
    /** A route, such as `/checkout-sessions/{id}`, or a concrete path, with or without `/v1`. */
    path: z.string().startsWith("/", { error: "must begin with a slash" }).max(200),
    /** Before or after the operation runs. The default depends on the effect. */
    when: z.enum(["before", "after"], { error: "must be before or after" }).optional(),
    /** The response is the error object of this status. */
    status: z
      .union(
        statuses.map((status) => z.literal(status)),
        { error: `must be one of ${statuses.join(", ")}` },
      )
      .optional(),
    code: z.enum(codes, { error: "must be a code of the service's errors" }).optional(),
    retryAfterSeconds: z.int().min(0).max(86_400).optional(),
    /** The connection is closed without a response. */
    reset: z.literal(true).optional(),
    /** The request waits while it holds its Idempotency-Key. */
    delayMs: z.int().min(1).max(HOUR_MS).optional(),
    /** Half of the body is sent, then the connection is closed. */
    cutBody: z.literal(true).optional(),
    /** The fields are merged into the body of the response; null removes a field. */
    patch: z.record(z.string(), z.unknown()).optional(),
    /** The response is 200 with `{}` or without a body. */
    empty: z.enum(["object", "body"], { error: "must be object or body" }).optional(),
    /** Only requests whose response was stored under their Idempotency-Key. */
    repeat: z.literal(true).optional(),
    /** The share of the matching requests that the fault hits. */
    share: z.number().gt(0).lt(1).optional(),
    /** Determines which requests belong to the share. */
    seed: z.string().min(1).max(100).optional(),
    /** The fault expires after this time on the clock of the sandbox. */
    forMs: z.int().min(1).max(YEAR_MS).optional(),
    /** How many requests the fault hits. */
    times: z.int().min(1).max(UNLIMITED_TIMES).optional(),
  })
  .superRefine((fault, context) => {
    const addProblem = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    const { status, code, reset, delayMs, cutBody, patch, empty } = fault;
    const effects = [status, reset, delayMs, cutBody, patch, empty].filter((effect) => effect !== undefined);
    if (effects.length !== 1) addProblem("status", "name exactly one of status, reset, delayMs, cutBody, patch, empty");
    if (code !== undefined && statusByCode[code] !== status) addProblem("code", `needs status ${statusByCode[code]}`);
    const altersResponse = cutBody !== undefined || patch !== undefined;
    if (altersResponse && fault.when === "before")
      addProblem("when", "cutBody and patch alter a response, so when must be after");
    if (fault.repeat && fault.when === "before")
      addProblem("when", "repeat alters a stored response, so when must be after");
    if (fault.repeat && delayMs !== undefined) addProblem("repeat", "cannot be combined with delayMs");
    if (fault.seed !== undefined && fault.share === undefined) addProblem("seed", "needs share");
  });

export type FaultRequest = z.input<typeof faultRequest>;
export type Fault = Omit<z.output<typeof faultRequest>, "forMs"> & {
  when: "before" | "after";
  times: number;
  /** The time when the fault expires: ISO 8601 on the clock of the sandbox. */
  until?: string;
};

/** @throws ApiError `bad_request` with the name of the invalid field */
export function readFault(request: unknown, now: number): Fault {
  const parsed = faultRequest.safeParse(request);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.code === "unrecognized_keys" ? `"${issue.keys[0]}"` : `"${issue?.path.join(".")}"`;
    throw new ApiError("bad_request", `The fault is not understood: ${field}: ${issue?.message}.`);
  }
  const { path, when, times, forMs, ...rest } = parsed.data;
  const needsResponse = [rest.cutBody, rest.patch, rest.empty, rest.repeat].some((option) => option !== undefined);
  const appliesOnce = rest.share === undefined && forMs === undefined;
  return {
    ...rest,
    path: path.replace(/^\/v1(?=\/)/, ""),
    when: when ?? (needsResponse ? "after" : "before"),
    times: times ?? (appliesOnce ? 1 : UNLIMITED_TIMES),
    ...(forMs === undefined ? {} : { until: new Date(now + forMs).toISOString() }),
  };
}
