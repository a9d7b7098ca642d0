import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { ServiceClient } from "@tillkit/client";
import type { EventName } from "@tillkit/client/webhooks";
import { waitFor } from "../../command-line/stop-signal.ts";
import { isDelivered } from "./forward.ts";
import type { ListenSession } from "./listen-session.ts";

const DAY_MS = 86_400_000;
const MAX_BODY_BYTES = 1024 * 1024;
// At this status a sandbox repeats the delivery, as the service does when a receiver does not answer.
const NO_ANSWER = 502;

/**
 * Registers a webhook endpoint of this process at a sandbox, which reaches this machine. The sandbox gets the answer of the real
 * receiver, so it repeats a delivery exactly when the service would.
 */
export async function listenByEndpoint(
  client: ServiceClient,
  events: EventName[] | null,
  session: ListenSession,
): Promise<void> {
  const server = await startReceiver(session);
  try {
    const { port } = server.address() as AddressInfo;
    const { EVENT_NAMES } = await import("@tillkit/client/webhooks");
    const description = `tillkit listen: ${session.target}`;
    await removeLeftOverEndpoints(client, description);
    const url = `http://127.0.0.1:${port}/`;
    const { data } = await client.webhooks.create({ url, authorized_events: events ?? [...EVENT_NAMES], description });
    session.ready({ endpoint: data.id ?? "the sandbox", secret: data.secret ?? null });
    while (!session.stopped.aborted) await waitFor(DAY_MS, session.stopped);
    if (data.id !== undefined) await client.webhooks.delete(data.id);
  } finally {
    await closeServer(server);
  }
}

/**
 * A process that was killed could not delete its endpoint, and every later delivery to it would fail. The endpoint of a second
 * `tillkit listen`, which is running for the same target, stays.
 */
async function removeLeftOverEndpoints(client: ServiceClient, description: string): Promise<void> {
  const found = await client.webhooks.list().toArray({ limit: 1_000 });
  for (const { id, url, ...endpoint } of found) {
    if (endpoint.description !== description || !id || !url) continue;
    if (!(await acceptsConnections(url))) await client.webhooks.delete(id);
  }
}

async function acceptsConnections(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function startReceiver(session: ListenSession): Promise<Server> {
  const server = createServer(async (request, response) => {
    const bytes = await readBody(request);
    const forwarded = bytes && (await session.deliver({ bytes, headers: headersOf(request) }));
    const status = forwarded?.status ?? NO_ANSWER;
    response.writeHead(forwarded && isDelivered(forwarded) ? 200 : status).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return server;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > MAX_BODY_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}
