import { createServer, type IncomingMessage, type RequestListener, request as sendRequest } from "node:http";
import { type Duplex, duplexPair, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";

export type FetchHandler = (request: Request) => Promise<Response>;

/**
 * Makes a handler of fetch-standard requests from a listener of node:http. Each request passes through a connection in memory and
 * Node's own HTTP parser, so the listener gets the same bytes and headers as from a network. The body of a request that was read
 * before is gone: the listener gets an empty body.
 */
export function createFetchHandler(listener: RequestListener): FetchHandler {
  const server = createServer(listener);
  return async function handleFetch(request) {
    const [near, far] = duplexPair();
    server.emit("connection", far);
    return toResponse(await exchange(request, near));
  };
}

async function exchange(request: Request, connection: Duplex): Promise<IncomingMessage> {
  const { pathname, search, host } = new URL(request.url);
  const outgoing = sendRequest({
    method: request.method,
    path: `${pathname}${search}`,
    headers: headersOf(request, host),
    createConnection: () => connection,
    signal: request.signal,
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
  });
  if (request.body === null || request.bodyUsed) outgoing.end();
  // The listener may answer before it has read the whole body. The answer counts then, and the rest of the body is not sent.
  else
    pipeline(Readable.fromWeb(request.body as NodeReadableStream), outgoing).catch((error) => outgoing.destroy(error));
  return await answered;
}

function headersOf(request: Request, host: string): Record<string, string> {
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !HOP_BY_HOP.has(name)));
  // The length names the bytes that the client sent. A body that was read already would never arrive.
  if (request.bodyUsed) delete headers["content-length"];
  return { host, ...headers, connection: "close" };
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

/** Headers of one connection: the host and its client have another one. */
const HOP_BY_HOP: ReadonlySet<string> = new Set(["connection", "keep-alive", "transfer-encoding"]);

/** Statuses for which the constructor of `Response` accepts no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
