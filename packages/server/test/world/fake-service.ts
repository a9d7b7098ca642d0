import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type FakeSession = { id: string; status: "open" | "completed" | "expired"; body: Record<string, unknown> };

/** The two routes of the service that a checkout needs, on a real port, and what a test changes behind its back. */
export type FakeService = {
  readonly baseUrl: string;
  readonly sessions: Map<string, FakeSession>;
  readonly calls: { readonly opened: () => number; readonly read: () => number };
  /** Merged into every session that is read. */
  lies: Record<string, unknown>;
  /** Every call is answered with this error instead, while it is set. */
  refuses: { status: number; code: string } | null;
  /** Rows of the list of transactions, in the service's own words. */
  readonly transactions: Record<string, unknown>[];
  /** Reads wait for this. */
  gate: Promise<void>;
  newest(): FakeSession;
  close(): Promise<void>;
};

export async function openFakeService(now: () => number): Promise<FakeService> {
  const sessions = new Map<string, FakeSession>();
  const keys = new Map<string, string>();
  const counts = { opened: 0, read: 0 };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const service: FakeService = {
    baseUrl,
    sessions,
    calls: { opened: () => counts.opened, read: () => counts.read },
    lies: {},
    refuses: null,
    transactions: [],
    gate: Promise.resolve(),
    newest() {
      const newest = [...sessions.values()].at(-1);
      if (!newest) throw new Error("No session was opened.");
      return newest;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    if (service.refuses) {
      const { status, code } = service.refuses;
      return send(response, status, { error: { code, message: "No." }, request_id: randomUUID() });
    }
    const path = request.url ?? "";
    if (path.includes("/refunds")) return send(response, 201, refunded(request, body));
    const transactionId = /\/transactions\/([^/?]+)/.exec(path)?.[1];
    if (transactionId !== undefined) return sendTransaction(response, transactionId);
    if (path.includes("/transactions")) return send(response, 200, { data: listed(path), has_more: false });
    if (request.method === "POST") return send(response, 201, open(request, JSON.parse(body)));
    counts.read += 1;
    await service.gate;
    const found = sessions.get(path.split("/").at(-1) ?? "");
    if (!found) return send(response, 404, { error: { code: "not_found", message: "Session not found" } });
    return send(response, 200, { ...shown(found), ...service.lies });
  }

  function sendTransaction(response: ServerResponse, id: string): void {
    const found = service.transactions.find(({ transaction_id: known }) => known === id);
    const missing = { error: { code: "not_found", message: "Transaction not found" } };
    send(response, found ? 200 : 404, found ?? missing);
  }

  function refunded(request: IncomingMessage, body: string): unknown {
    if (request.method !== "POST") return { data: [], has_more: false };
    return { ...JSON.parse(body), refund_id: randomUUID(), status: "completed", environment: "test" };
  }

  function listed(path: string): unknown[] {
    const query = new URL(path, baseUrl).searchParams;
    const [from, until] = [query.get("startDate") ?? "", query.get("endDate") ?? "9"];
    return service.transactions.filter(({ created_at: at }) => String(at) >= from && String(at) <= until);
  }

  function open(request: IncomingMessage, body: Record<string, unknown>): Record<string, unknown> {
    const key = String(request.headers["idempotency-key"]);
    const known = sessions.get(keys.get(key) ?? "");
    if (known) return shown(known);
    counts.opened += 1;
    const session: FakeSession = { id: randomUUID(), status: "open", body };
    sessions.set(session.id, session);
    keys.set(key, session.id);
    return shown(session);
  }

  function shown({ id, status, body }: FakeSession): Record<string, unknown> {
    return {
      ...body,
      id,
      checkout_session_id: id,
      checkout_url: `https://pay.service.example/cs_${id.slice(0, 8)}`,
      status,
      environment: "test",
      expires_at: new Date(now() + 3_600_000).toISOString(),
    };
  }

  return service;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
