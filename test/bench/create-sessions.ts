import { randomUUID } from "node:crypto";
import { connect, type Socket } from "node:net";
import type { MeasuredServer } from "./measured-server.ts";

/** A request body as a plugin sends it. */
const body = JSON.stringify({
  amount: 25_000,
  currency_code: "XOF",
  title: "Commande 1042 · Boubou brodé",
  success_url: "https://shop.example/return?session={CHECKOUT_SESSION_ID}",
  cancel_url: "https://shop.example/cart",
  customer_email: "awa.diop@example.test",
  customer_name: "Awa Diop",
  metadata: { order_id: "1042", tillkit_store: "shop-1", tillkit_reference: "0194f3c2.0123456789abcdef" },
});

/**
 * Opens `count` checkout sessions, each under a new Idempotency-Key, over `connections` that each send one request at a
 * time. It uses plain sockets to leave CPU time to the server.
 * @throws Error if an answer is not 201
 */
export async function createSessions(server: MeasuredServer, count: number, connections: number): Promise<void> {
  let left = count;
  const takeNext = () => left-- > 0;
  await Promise.all(Array.from({ length: connections }, () => sendRequests(server, takeNext)));
}

async function sendRequests(server: MeasuredServer, takeNext: () => boolean): Promise<void> {
  const { hostname, port } = new URL(server.baseUrl);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const statuses = readStatuses(socket);
  const sendRequest = () => socket.write(requestOf(server.key));
  if (takeNext()) {
    sendRequest();
    for await (const status of statuses) {
      if (status !== 201) throw new Error(`A session was not created: the server answered ${status}.`);
      if (!takeNext()) break;
      sendRequest();
    }
  }
  socket.destroy();
}

function requestOf(key: string): string {
  const head = [
    "POST /v1/checkout-sessions HTTP/1.1",
    "Host: 127.0.0.1",
    "Content-Type: application/json",
    `X-API-Key: ${key}`,
    `Idempotency-Key: ${randomUUID()}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

/** The status of each complete answer. */
async function* readStatuses(socket: Socket): AsyncIterable<number> {
  let received = "";
  socket.setEncoding("latin1");
  for await (const chunk of socket as AsyncIterable<string>) {
    received += chunk;
    const headEnd = received.indexOf("\r\n\r\n");
    if (headEnd === -1) continue;
    const length = Number(/^content-length: (\d+)/im.exec(received)?.[1]);
    if (received.length < headEnd + "\r\n\r\n".length + length) continue;
    yield Number(received.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
    received = "";
  }
}
