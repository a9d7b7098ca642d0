import { expect } from "vitest";

export type Row = Readonly<Record<string, unknown>>;

/** An HTTP response with accessors for the fields of its body. */
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  /** The body, character for character. */
  readonly raw: string;
  /** The body as JSON; null when there is none. */
  readonly body: unknown;
  /** The string at a dotted path. Fails the test if there is none. */
  text(path: string): string;
  number(path: string): number;
  /** The rows of the body, which is an array, or of the array at a dotted path. */
  rows(path?: string): readonly Row[];
};

export async function readAnswer(response: Response): Promise<Answer> {
  const raw = await response.text();
  const body: unknown = raw === "" ? null : JSON.parse(raw);
  return {
    status: response.status,
    headers: response.headers,
    raw,
    body,
    text: (path) => expectString(valueAt(body, path), path, raw),
    number: (path) => expectNumber(valueAt(body, path), path, raw),
    rows: (path = "") => expectRows(valueAt(body, path), path, raw),
  };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An id of the service that has no prefix. */
export const anId: unknown = expect.stringMatching(uuid);

/** ISO 8601 in UTC with milliseconds. */
export const aTime: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

// biome-ignore format: several names per line are easier to read
const codes = [
  "bad_request", "validation_failed", "amount_invalid", "invalid_cursor", "idempotency_key_required",
  "unauthorized", "forbidden", "api_access_suspended", "not_found", "conflict", "idempotency_key_reused",
  "idempotency_in_progress", "rate_limit_exceeded", "internal_error", "service_unavailable",
];

const stackTrace = /\\n\s+at |node:internal|node_modules|\.[jt]s:\d/;
const apiKey = /svc_[sp]k_(test|live)_\w{8}/;

/** Checks the rules that hold for every answer, whatever the test is about. */
export function expectGeneralRules(answer: Answer): void {
  const requestId = answer.headers.get("X-Request-Id");
  expect(requestId).toEqual(anId);
  expect(answer.headers.get("Service-Version")).toBe("1.2.0");
  if (answer.status < 400) return;
  expect(answer.headers.get("Content-Type")).toMatch(/^application\/json\b/);
  expect(answer.body).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
  expect(codes).toContain(answer.text("error.code"));
  expect(answer.text("request_id")).toBe(requestId);
  expect(answer.raw).not.toMatch(stackTrace);
  expect(answer.raw).not.toMatch(apiKey);
}

/** Checks that an answer is an error with exactly this status and code, and with this message if one is given. */
export function expectRefusal(answer: Answer, status: number, code: string, message?: string | RegExp): void {
  expect({ status: answer.status, code: valueAt(answer.body, "error.code") }, answer.raw).toEqual({ status, code });
  if (typeof message === "string") expect(answer.text("error.message")).toBe(message);
  if (message instanceof RegExp) expect(answer.text("error.message")).toMatch(message);
}

/** Checks that an answer refuses the body and names the field, or a path inside the field. */
export function expectInvalid(answer: Answer, field: string): void {
  expectRefusal(answer, 400, "validation_failed", "Request validation failed");
  const details = valueAt(answer.body, "error.details");
  expect(details).toBeTypeOf("object");
  const found = Object.entries(details ?? {}).find(([path]) => path === field || path.startsWith(`${field}.`));
  expect(found?.[1], `${field} among ${JSON.stringify(details)}`).toEqual(expect.arrayContaining([expect.any(String)]));
}

/** The value at a dotted path, or the whole value if the path is empty. */
function valueAt(value: unknown, path: string): unknown {
  return path
    .split(".")
    .filter((name) => name !== "")
    .reduce<unknown>((inside, name) => (isObject(inside) ? inside[name] : undefined), value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function expectString(value: unknown, path: string, raw: string): string {
  if (typeof value !== "string") throw new Error(`No text at "${path}" in ${raw}`);
  return value;
}

function expectNumber(value: unknown, path: string, raw: string): number {
  if (typeof value !== "number") throw new Error(`No number at "${path}" in ${raw}`);
  return value;
}

function expectRows(value: unknown, path: string, raw: string): readonly Row[] {
  if (!Array.isArray(value)) throw new Error(`No rows at "${path}" in ${raw}`);
  return value.filter(isObject);
}
