import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import type { Certificate } from "./certificate.ts";

export type LocalServer = { readonly baseUrl: string; close(): void };

/** The id in every answer. */
export const ANSWERED_ID = "6f1f0a0e-6f59-4f0c-9f7a-1a6b8f1d2c33";

const common = { description: "x".repeat(1_000), id: ANSWERED_ID, status: "open" };

/** The answer that the client of each service expects to its write. The name is the first part of the path. */
const answers: Readonly<Record<string, object>> = {
  v1: {
    ...common,
    object: "checkout.session",
    checkout_session_id: common.id,
    checkout_url: "https://pay.service.example/cs_7K2MPQ9XW4ZTBD",
    amount: 25_000,
    currency_code: "XOF",
    title: "Commande 1042",
    metadata: { order_id: "1042", store: "shop-1" },
    environment: "test",
    expires_at: "2026-03-01T11:00:00.000Z",
    transaction_id: null,
  },
  mollie: { ...common, resource: "payment", amount: { value: "25.00", currency: "EUR" }, _links: {} },
  adyen: { ...common, amount: { currency: "EUR", value: 25_000 }, expiresAt: "2026-03-01T11:00:00Z" },
  square: { payment_link: { ...common, version: 1, order_id: "1042", url: "https://pay.example/1042" } },
  dodo: { ...common, session_id: common.id, checkout_url: "https://pay.example/1042" },
  razorpay: { ...common, entity: "order", amount: 25_000, currency: "INR", receipt: "Commande 1042" },
};
const bodies = new Map(Object.entries(answers).map(([name, answer]) => [name, Buffer.from(JSON.stringify(answer))]));

/** A server that reads each request to its end and answers at once. It keeps connections open for a minute. */
export async function startLocalServer(certificate: Certificate | null): Promise<LocalServer> {
  const server =
    certificate === null ? createHttp(respond) : createHttps({ key: certificate.key, cert: certificate.cert }, respond);
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `${certificate === null ? "http" : "https"}://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The body of the answer to a write. Empty for an unknown path. */
export function answerTo(path: string | undefined): Buffer {
  return bodies.get(path?.split("/", 2)[1] ?? "") ?? Buffer.alloc(0);
}

function respond(incoming: IncomingMessage, response: ServerResponse): void {
  const body = answerTo(incoming.url);
  incoming.resume().once("end", () => {
    const headers = { "content-type": "application/json", "content-length": body.length };
    response.writeHead(body.length === 0 ? 404 : 200, headers).end(body);
  });
}
