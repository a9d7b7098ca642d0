import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type SeenRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

/** What the server does with one request; the last behaviour repeats. */
export type Behaviour = (response: ServerResponse, request: SeenRequest) => void;

export type FaultServer = {
  readonly baseUrl: string;
  readonly seen: readonly SeenRequest[];
  /** Connections that were opened, one entry each. */
  readonly connections: readonly unknown[];
};

/** A service that behaves as badly as a test wants, request by request. */
export async function startFaultServer(...script: readonly Behaviour[]): Promise<FaultServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece);
    const request: SeenRequest = {
      method: incoming.method ?? "",
      url: incoming.url ?? "",
      headers: incoming.headers,
      body: Buffer.concat(pieces).toString("utf8"),
    };
    seen.push(request);
    script[Math.min(seen.length, script.length) - 1]?.(response, request);
  });
  const connections: unknown[] = [];
  server.on("connection", (connection) => connections.push(connection));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, connections };
}

export function answers(status: number, body: unknown, headers: Record<string, string> = {}): Behaviour {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", "x-request-id": REQUEST_ID, ...headers });
    response.end(typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  };
}

export function refuses(status: number, code: string, headers: Record<string, string> = {}, details?: unknown) {
  return answers(status, { error: { code, message: `said ${code}`, details }, request_id: REQUEST_ID }, headers);
}

/** The connection dies after the request was read: nobody knows whether it was taken. */
export const resets: Behaviour = (response) => response.socket?.resetAndDestroy();

export const cutsBody: Behaviour = (response) => {
  response.writeHead(201, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"checkout_session_id":', () => response.socket?.destroy());
};

export const staysSilent: Behaviour = () => undefined;

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
