import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type ReceivedRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

/** What the server does with one request. */
export type Behavior = (response: ServerResponse, request: ReceivedRequest) => void;

export type FaultServer = {
  readonly baseUrl: string;
  readonly received: readonly ReceivedRequest[];
  /** One entry per opened connection. */
  readonly connections: readonly unknown[];
};

/** A service that follows a script, one behavior per request; the last behavior repeats. */
export async function startFaultServer(...script: readonly Behavior[]): Promise<FaultServer> {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const request: ReceivedRequest = {
      method: incoming.method ?? "",
      url: incoming.url ?? "",
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    received.push(request);
    script[Math.min(received.length, script.length) - 1]?.(response, request);
  });
  const connections: unknown[] = [];
  server.on("connection", (connection) => connections.push(connection));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, connections };
}

export function responds(status: number, body: unknown, headers: Record<string, string> = {}): Behavior {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", "x-request-id": REQUEST_ID, ...headers });
    response.end(typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  };
}

export function respondsWithError(
  status: number,
  code: string,
  headers: Record<string, string> = {},
  details?: unknown,
) {
  return responds(
    status,
    { error: { code, message: `failed with ${code}`, details }, request_id: REQUEST_ID },
    headers,
  );
}

/** Resets the connection after reading the request, so that its outcome is unknown. */
export const resetsConnection: Behavior = (response) => response.socket?.resetAndDestroy();

export const truncatesBody: Behavior = (response) => {
  response.writeHead(201, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"checkout_session_id":', () => response.socket?.destroy());
};

export const neverResponds: Behavior = () => undefined;

export const REQUEST_ID = "0d3c2a52-3f0e-4f55-9b2f-8d5a9e1f7c11";

export const SESSION = {
  id: "6f1f0a0e-6f59-4f0c-9f7a-1a6b8f1d2c33",
  checkout_session_id: "6f1f0a0e-6f59-4f0c-9f7a-1a6b8f1d2c33",
  checkout_url: "https://pay.service.example/cs_7K2MPQ9XW4ZTBD",
  status: "open",
  amount: 25000,
  currency_code: "XOF",
  title: "Order 1042",
  metadata: { order_id: "1042" },
  environment: "test",
  expires_at: "2026-03-01T11:00:00.000Z",
  transaction_id: null,
};
