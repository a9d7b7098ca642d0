import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { PATIENCE_MS } from "../../../test/waiting/patience.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "../src/index.ts";

/** Closes what the running test opened, the newest first. A hook of this module would run only for the first file of a worker. */
export function closeAfterTest(close: () => Promise<unknown>): void {
  onTestFinished(async () => void (await close()));
}

/** Starts a sandbox that is closed after the test. */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createSandbox(options);
  closeAfterTest(() => sandbox.close());
  return sandbox;
}

export type ApiResponse = { status: number; headers: Headers; text: string; json: Json };
// biome-ignore lint/suspicious/noExplicitAny: tests read fields of responses without checking their types first
export type Json = any;

export type ApiOptions = { key?: string | null; headers?: Record<string, string>; body?: unknown };

/** A request to the API with the secret test key, or with `options.key`. A string body is sent unchanged. */
export async function api(sandbox: Sandbox, route: string, options: ApiOptions = {}): Promise<ApiResponse> {
  const [method = "GET", path = "/"] = route.split(" ");
  const { key = sandbox.keys.test.secret, headers = {}, body } = options;
  const response = await fetch(sandbox.baseUrl + path, {
    method,
    headers: {
      ...(key === null ? {} : { "X-API-Key": key }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return readResponse(response);
}

/** A request to the control API. */
export async function control(sandbox: Sandbox, route: string, body?: unknown): Promise<ApiResponse> {
  const [method = "GET", path = "/"] = route.split(" ");
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  return readResponse(await fetch(sandbox.controlUrl + path, init));
}

async function readResponse(answer: Response): Promise<ApiResponse> {
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: text === "" ? null : JSON.parse(text) };
}

export const order = {
  amount: 25000,
  currency_code: "XOF",
  title: "Order 1042",
  success_url: "https://shop.example/return?s={CHECKOUT_SESSION_ID}",
  cancel_url: "https://shop.example/cart",
  metadata: { order_id: "1042" },
};

/** Creates a checkout session and returns the body of the response. */
export async function newSession(sandbox: Sandbox, fields: Record<string, unknown> = {}): Promise<Json> {
  const { status, json } = await api(sandbox, "POST /v1/checkout-sessions", { body: { ...order, ...fields } });
  if (status !== 201) throw new Error(`The session was not opened: ${JSON.stringify(json)}`);
  return json;
}

export type Received = { headers: IncomingHttpHeaders; body: string; at: number };
export type Receiver = {
  url: string;
  received: Received[];
  /** The statuses of the next responses; the last status repeats. 0: no response at all. */
  respondWith(...statuses: number[]): void;
  /** Resolves with all deliveries as soon as there are `count`. */
  waitFor(count: number): Promise<readonly Received[]>;
};

/** A merchant's webhook address on this machine. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let statuses = [200];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString("utf8"), at: Date.now() });
      const status = statuses.length > 1 ? statuses.shift() : statuses[0];
      if (status === 0 || status === undefined) return;
      response.writeHead(status, status === 302 ? { Location: "/elsewhere" } : {}).end(`said ${status}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closeAfterTest(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    respondWith(...next) {
      statuses = next;
    },
    async waitFor(count) {
      await eventually(() => received.length >= count);
      return received;
    },
  };
}

export const paymentEvents = ["PAYMENT_CREATED", "PAYMENT_SUCCEEDED", "PAYMENT_FAILED"];

/** Creates a webhook endpoint and returns the body of the response, which holds the secret. */
export async function newEndpoint(
  sandbox: Sandbox,
  url: string,
  fields: Record<string, unknown> = {},
  key?: string,
): Promise<Json> {
  const body = { url, authorized_events: paymentEvents, ...fields };
  const { json } = await api(sandbox, "POST /webhooks", { body, ...(key === undefined ? {} : { key }) });
  return json;
}

/** Waits for the condition in real time, because requests over HTTP do not follow the clock of the sandbox. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error("The condition was still false after four minutes.");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The number of sessions of all merchants, from the control API: the service's API has no list of sessions. */
export async function sessionCount({ controlUrl }: Sandbox): Promise<number> {
  const list = (await (await fetch(`${controlUrl}/checkout-sessions`)).json()) as { total_count: number };
  return list.total_count;
}
