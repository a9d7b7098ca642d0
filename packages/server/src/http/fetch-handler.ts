import { createServer, type IncomingMessage, type RequestListener, request as sendRequest } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, duplexPair, Readable } from "node:stream";
import { limits, systemClock } from "@tillkit/core";
import { readWebBody } from "@tillkit/runtime";
import { serverLimits } from "../limits.ts";

/**
 * Who sent the request: `address` where the host knows the sender's IP address, or `incoming`, which hosts on Node pass beside a
 * request. When there is no address, or it belongs to a proxy in a private network, the last entry of `X-Forwarded-For` counts,
 * because the nearest proxy wrote that entry.
 */
export type FetchVisitor = {
  readonly address?: string | undefined;
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } } | undefined;
};

/** @param visitor its address has to wait after ten wrong operators' tokens; visitors without an address are counted together */
export type FetchHandler = (request: Request, visitor?: FetchVisitor) => Promise<Response>;

/**
 * Makes a handler of fetch-standard requests from a listener of node:http. Each request passes through a connection in memory and
 * Node's own HTTP parser, so the listener gets the same bytes and headers as from a network.
 *
 * A host's parser may have read the body before. Some hosts then pass an empty body on without an error, so this handler marks an
 * empty POST as one whose body was parsed: it sets `request.body`.
 */
export function createFetchHandler(listener: RequestListener): FetchHandler {
  const emptyPosts = new WeakSet<Socket | Duplex>();
  const server = createServer((request, response) => {
    listener(emptyPosts.has(request.socket) ? Object.assign(request, { body: "" }) : request, response);
  });
  return async function handleFetch(request, visitor) {
    const read = await readWebBody(request, { maxBytes: limits.maxDeliveryBytes, clock: systemClock });
    if (read.status === "no-room" || read.status === "too-slow") {
      const headers = { "Retry-After": String(serverLimits.bodyRetryAfterSeconds), "Cache-Control": "no-store" };
      return Response.json(TOO_MANY_BODIES, { status: 503, headers });
    }
    // No route takes a body of this length, and each refuses it in its own words.
    const body = read.status === "complete" ? read.bytes : new Uint8Array(limits.maxDeliveryBytes + 1);
    const [clientEnd, serverEnd] = duplexPair();
    Object.assign(serverEnd, { remoteAddress: addressOf(request, visitor) });
    if (request.method === "POST" && body.byteLength === 0) emptyPosts.add(serverEnd);
    server.emit("connection", serverEnd);
    return toResponse(await exchange(request, body, clientEnd));
  };
}

function addressOf(request: Request, visitor: FetchVisitor = {}): string | undefined {
  if (visitor.address !== undefined) return visitor.address;
  const nearest = visitor.incoming?.socket.remoteAddress;
  if (nearest !== undefined && !PRIVATE_ADDRESS.test(nearest)) return nearest;
  return request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? nearest;
}

/** Loopback and private networks, of IPv4 (also as `::ffff:10.0.0.1`) and of IPv6. */
const PRIVATE_ADDRESS = /^(?:::ffff:)?(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.|^::1$|^f[cd]/i;

const TOO_MANY_BODIES = {
  code: "too_many_bodies",
  message: "Too many requests are sending their bodies at the moment: send it again.",
};

async function exchange(request: Request, body: Uint8Array, connection: Duplex): Promise<IncomingMessage> {
  const { pathname, search, host } = new URL(request.url);
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !HOP_BY_HOP.has(name)));
  const outgoing = sendRequest({
    method: request.method,
    path: `${pathname}${search}`,
    headers: { host, ...headers, "content-length": String(body.byteLength), connection: "close" },
    createConnection: () => connection,
    signal: request.signal,
  });
  return await new Promise((resolve, reject) => {
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}

function toResponse(incoming: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    if (!HOP_BY_HOP.has(name)) for (const value of values) headers.append(name, value);
  }
  const status = incoming.statusCode ?? 502;
  const hasBody = !WITHOUT_BODY.has(status);
  if (!hasBody) incoming.resume();
  return new Response(hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null, { status, headers });
}

/** Headers that are only about the connection in memory, and not about the connection of the host to its client. */
const HOP_BY_HOP: ReadonlySet<string> = new Set(["connection", "keep-alive", "transfer-encoding"]);

/** Statuses for which the constructor of `Response` accepts no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
