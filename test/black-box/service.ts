import { randomUUID } from "node:crypto";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { afterAll, beforeAll } from "vitest";
import { type Answer, expectGeneralRules, readAnswer } from "./answer.ts";
import { expectAsPublished } from "./contract.ts";
import { recordCall } from "./coverage.ts";
import { endpoints, type Operation } from "./operations.ts";
import { openReceiver, type Receiver } from "./receiver.ts";

export type Call = {
  /** The API key; null sends none. */
  readonly key?: string | null;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  /** A body that is sent unchanged. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** If undefined, a fresh key is sent where the endpoint requires one. Null sends none. */
  readonly idempotencyKey?: string | null;
  /** The header `Service-Account`. */
  readonly account?: string;
  readonly prefix?: "/v1";
};

export type Send = (operation: Operation, call?: Call) => Promise<Answer>;
type Keys = Sandbox["keys"];

export type Merchant = {
  readonly organizationId: string;
  readonly merchantId: string;
  readonly keys: Keys;
  /** Sends a request with the merchant's secret test key. */
  readonly call: Send;
  /** Sends a request with the merchant's secret live key. */
  readonly live: Send;
};

/** The service under test, which tests use only over HTTP. */
export type Service = {
  readonly baseUrl: () => string;
  readonly controlUrl: () => string;
  readonly checkoutBaseUrl: () => string;
  readonly keys: () => Keys;
  /** Sends a request with the secret test key of the merchant that every sandbox starts with. */
  readonly call: Send;
  /** Sends a request to the control API that must succeed, for example `POST /clock`. */
  control(operation: Operation, body?: unknown): Promise<Answer>;
  /** Sends a request to the control API that may be refused. */
  tryControl(operation: Operation, body?: unknown): Promise<Answer>;
  /** Runs `work` with changed settings and restores the settings afterwards, also after an error. */
  withSettings<T>(settings: Readonly<Record<string, unknown>>, work: () => Promise<T>): Promise<T>;
  /** Advances the service's clock. */
  advance(ms: number): Promise<void>;
  /** Creates a merchant without any data. */
  merchant(): Promise<Merchant>;
  /** The merchant in an answer of the control API. Operators and members are merchants too. */
  merchantOf(answer: Answer): Merchant;
  receiver(): Promise<Receiver>;
};

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;

/** Starts the service for the tests of one `describe`. */
export function startService(options: Parameters<typeof createSandbox>[0] = {}): Service {
  let running: Sandbox | null = null;
  const receivers: Receiver[] = [];
  beforeAll(async () => {
    running = await createSandbox(options);
  });
  afterAll(async () => {
    await running?.close();
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });
  const sandbox = (): Sandbox => {
    if (running === null) throw new Error("The service is used before it was started.");
    return running;
  };
  return {
    ...connectTo(sandbox),
    receiver: async () => {
      const receiver = await openReceiver();
      receivers.push(receiver);
      return receiver;
    },
  };
}

/** The service of a sandbox that a test starts itself. */
export function connectTo(sandbox: () => Sandbox): Omit<Service, "receiver"> {
  const sender =
    (key: () => string): Send =>
    (operation, call = {}) =>
      send(sandbox().baseUrl, operation, { key: key(), ...call });
  const tryControl: Service["tryControl"] = async (operation, body) => {
    const { method, path } = partsOf(operation);
    const headers = { "Content-Type": "application/json" };
    return readAnswer(await fetch(`${sandbox().controlUrl}${path}`, { method, headers, ...bodyOf({ body }) }));
  };
  const control: Service["control"] = async (operation, body) => {
    const answer = await tryControl(operation, body);
    trackDifferences(sandbox().baseUrl, operation, body);
    if (answer.status < 400) return answer;
    throw new Error(`${operation} of the control API answers ${answer.status} ${answer.raw}`);
  };
  const merchantOf: Service["merchantOf"] = (answer) => {
    const keys = keysOf(answer);
    return {
      organizationId: answer.text("organization_id"),
      merchantId: answer.text("merchant_id"),
      keys,
      call: sender(() => keys.test.secret),
      live: sender(() => keys.live.secret),
    };
  };
  return {
    baseUrl: () => sandbox().baseUrl,
    controlUrl: () => sandbox().controlUrl,
    checkoutBaseUrl: () => sandbox().checkoutBaseUrl,
    keys: () => sandbox().keys,
    call: sender(() => sandbox().keys.test.secret),
    control,
    tryControl,
    withSettings: async (settings, work) => {
      const before = Object.entries(Object((await control("GET /settings")).body));
      await control("PATCH /settings", settings);
      try {
        return await work();
      } finally {
        await control("PATCH /settings", Object.fromEntries(before.filter(([name]) => name in settings)));
      }
    },
    advance: async (ms) => {
      await control("POST /clock", { advanceMs: ms });
    },
    merchant: async () => merchantOf(await control("POST /organizations", { name: "A shop" })),
    merchantOf,
  };
}

/** The base URLs of services whose answers may differ from the published document: by `wrap`, `narrowReads` or a fault. */
const differingServices = new Set<string>();

function trackDifferences(baseUrl: string, operation: Operation, body: unknown): void {
  const { wrap, narrowReads } = Object(body);
  if (operation === "POST /faults" || (wrap !== undefined && wrap !== "none") || narrowReads === true)
    differingServices.add(baseUrl);
  else if (operation === "DELETE /faults" || wrap === "none" || narrowReads === false)
    differingServices.delete(baseUrl);
}

/** Sends one request to the service's API and checks the answer against the general rules and the published document. */
async function send(baseUrl: string, operation: Operation, call: Call): Promise<Answer> {
  const { method, path } = partsOf(operation);
  const response = await fetch(`${baseUrl}${call.prefix ?? ""}${pathWithQuery(path, call)}`, {
    method,
    headers: headersOf(operation, call),
    redirect: "manual",
    ...bodyOf(call),
  });
  const answer = await readAnswer(response);
  recordCall(operation, answer.status);
  expectGeneralRules(answer);
  if (!differingServices.has(baseUrl)) await expectAsPublished(baseUrl, operation, answer);
  return answer;
}

function partsOf(operation: Operation): { method: string; path: string } {
  const [method = "", path = ""] = operation.split(" ");
  return { method, path };
}

function pathWithQuery(template: string, { params = {}, query = {} }: Call): string {
  const path = template.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(params[name] ?? `{${name}}`),
  );
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return search.size === 0 ? path : `${path}?${search}`;
}

function headersOf(operation: Operation, call: Call): Record<string, string> {
  const needsKey = endpoints.some((endpoint) => endpoint.operation === operation && endpoint.keyed);
  const idempotencyKey = call.idempotencyKey === undefined && needsKey ? randomUUID() : call.idempotencyKey;
  return {
    ...(typeof call.key === "string" && { "X-API-Key": call.key }),
    ...((call.body !== undefined || call.raw !== undefined) && { "Content-Type": "application/json" }),
    ...(typeof idempotencyKey === "string" && { "Idempotency-Key": idempotencyKey }),
    ...(call.account !== undefined && { "Service-Account": call.account }),
    ...call.headers,
  };
}

function bodyOf({ body, raw }: Call): { body?: string | Uint8Array<ArrayBuffer> } {
  if (raw !== undefined) return { body: raw };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

function keysOf(answer: Answer): Keys {
  const pair = (environment: string) => ({
    secret: answer.text(`keys.${environment}.secret`),
    publishable: answer.text(`keys.${environment}.publishable`),
  });
  return { test: pair("test"), live: pair("live") };
}
