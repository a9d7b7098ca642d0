import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** `openedAt`: ISO 8601. */
export type Session = {
  readonly id: string;
  readonly reference: string;
  readonly body: Record<string, unknown>;
  readonly openedAt: string;
};

/** The external systems of the merchant's server: the service's routes and the store's API with its orders. */
export type ExternalServices = {
  readonly url: string;
  /** The sessions in the order of their creation. All of them are paid. */
  readonly sessions: readonly Session[];
  /** How often each order was marked paid at the store, which ships each time. */
  readonly effects: ReadonlyMap<string, number>;
  readonly reads: () => number;
  /** Sets the delay of the store's API. 0 also answers the delayed requests. */
  hang(ms: number): void;
  close(): Promise<void>;
};

export const ORDER_AMOUNT = 25_000;

export async function startExternalServices(): Promise<ExternalServices> {
  const sessions: Session[] = [];
  const byId = new Map<string, Session>();
  const byTransaction = new Map<string, Session>();
  const paidBy = new Map<string, string>();
  const effects = new Map<string, number>();
  let reads = 0;
  let delayMs = 0;
  const delayed = new Set<() => void>();

  const routes: [RegExp, (id: string, body: Record<string, unknown>) => Promise<unknown>][] = [
    [/^POST \/v1\/checkout-sessions$/, async (_id, body) => openSession(body)],
    [/^GET \/v1\/checkout-sessions\/(.+)$/, async (id) => readSession(id)],
    [/^GET (?:\/v1)?\/transactions\/([^/?]+)$/, async (id) => readTransaction(id)],
    [/^GET (?:\/v1)?\/(?:refunds|transactions)\b/, async () => ({ data: [] })],
    [/^GET \/shop\/orders\/(.+)$/, (orderId) => slowly(() => ({ paidBy: paidBy.get(orderId) ?? null }))],
    [/^POST \/shop\/orders\/(.+)$/, (orderId, body) => slowly(() => pay(orderId, String(body.paymentId)))],
  ];

  function openSession(body: Record<string, unknown>): unknown {
    const metadata = body.metadata as { tillkit_reference: string };
    const session = {
      id: randomUUID(),
      reference: metadata.tillkit_reference,
      body,
      openedAt: new Date().toISOString(),
    };
    sessions.push(session);
    byId.set(session.id, session);
    byTransaction.set(transactionIdOf(session), session);
    return sessionJson(session, "open");
  }
  function readSession(id: string): unknown {
    reads += 1;
    const session = byId.get(id);
    return session ? sessionJson(session, "completed") : null;
  }
  function readTransaction(id: string): unknown {
    const session = byTransaction.get(id);
    return session ? transactionJson(session) : null;
  }
  async function slowly<Value>(answer: () => Value): Promise<Value> {
    if (delayMs > 0) await wait(delayMs);
    return answer();
  }
  async function wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const continueNow = () => {
        clearTimeout(timer);
        delayed.delete(continueNow);
        resolve();
      };
      const timer = setTimeout(continueNow, ms);
      delayed.add(continueNow);
    });
  }
  function pay(orderId: string, paymentId: string): unknown {
    effects.set(orderId, (effects.get(orderId) ?? 0) + 1);
    paidBy.set(orderId, paymentId);
    return { paidBy: paymentId };
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await jsonOf(request);
    const requestLine = `${request.method} ${request.url}`;
    for (const [route, respond] of routes) {
      const match = route.exec(requestLine);
      if (match) return send(response, await respond(match[1] ?? "", body));
    }
    send(response, null);
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    effects,
    reads: () => reads,
    hang(ms) {
      delayMs = ms;
      if (ms > 0) return;
      for (const continueNow of [...delayed]) continueNow();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sessionJson({ id, body }: Session, status: string): unknown {
  return {
    ...body,
    id,
    checkout_session_id: id,
    checkout_url: `https://pay.service.example/cs_${id.slice(0, 8)}`,
    status,
    environment: "test",
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  };
}

/** The transaction that paid a session. Its events name it. */
export function transactionIdOf({ id }: Session): string {
  return `b7e6d1c0-0c0f-4e55-a1f2-${id.slice(-12)}`;
}

function transactionJson(session: Session): unknown {
  const { id, body, reference, openedAt } = session;
  return {
    transaction_id: transactionIdOf(session),
    checkout_session_id: id,
    transaction_type: "payment",
    status: "completed",
    gross_amount: body.amount,
    refunded_amount: 0,
    currency_code: body.currency_code,
    metadata: { tillkit_reference: reference },
    environment: "test",
    created_at: openedAt,
    updated_at: openedAt,
  };
}

function send(response: ServerResponse, body: unknown): void {
  response.writeHead(body === null ? 404 : 200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function jsonOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text === "" ? {} : JSON.parse(text);
}
