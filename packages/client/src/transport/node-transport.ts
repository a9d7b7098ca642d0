import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as openHttp } from "node:http";
import { Agent as HttpsAgent, request as openHttps } from "node:https";
import type { Duplex } from "node:stream";
import { BlockedAddressError, isPrivateHost, publicLookup } from "../addresses/private-address.ts";
import { ServiceError } from "../errors/service-error.ts";
import { MAX_CONNECTIONS, MAX_REMEMBERED_ORIGINS } from "../system/limits.ts";
import { createBodyCollector } from "./body-collector.ts";
import { connectThrough, findProxy } from "./proxy.ts";
import { notSent } from "./send-by.ts";
import type { Transport, TransportRequest, TransportResponse } from "./transport.ts";

export type NodeTransportOptions = {
  /** Concurrent requests to one host. Further requests wait. The default is 128. */
  readonly maxConnections?: number;
  /** False: each request has a connection of its own. */
  readonly keepAlive?: boolean;
  /** Certificates that are trusted instead of the public authorities, in PEM. */
  readonly ca?: string;
  /**
   * The HTTP proxy for `https:` addresses, such as `http://user:password@proxy.example:3128`, or `off`. Unless set, the environment
   * variable `TILLKIT_PROXY`, then `HTTPS_PROXY`. Hosts that `NO_PROXY` names and this machine are reached directly.
   */
  readonly proxy?: string;
  /**
   * Refuses private addresses with a BlockedAddressError: for addresses that a stranger names. A host name is resolved once for each
   * connection. Behind a proxy the name is resolved by the proxy, which must refuse private addresses itself.
   */
  readonly publicOnly?: boolean;
};

/**
 * Keep-alive connections over `node:http` and `node:https`, to be shared by many clients. Idle connections let the process end.
 * @throws ServiceError `url_invalid` for a proxy whose address cannot be used
 */
export function createNodeTransport(options: NodeTransportOptions = {}): Transport {
  const { maxConnections = MAX_CONNECTIONS, keepAlive = true, ca, publicOnly = false } = options;
  // Every connection may stay idle. Closing some when many calls end together would cost the next calls new TLS handshakes.
  const settings = { keepAlive, maxSockets: maxConnections, maxFreeSockets: maxConnections };
  const plain = new HttpAgent(settings);
  const secure = new HttpsAgent(settings);
  // Host and port tell the connections of an agent apart. Node's own name lists twenty TLS options and is made three times a call.
  plain.getName = secure.getName = (address) => `${address?.host}:${address?.port}`;
  const trust = ca === undefined ? {} : { ca };
  const secured = rememberSecured(secure);
  const assertAllowed = publicOnly ? assertPublicHost : () => {};
  const guard = publicOnly ? { lookup: publicLookup } : {};
  const proxy = findProxy(options.proxy);
  // False: a connection of its own. Node's agent for it knows no proxy; one that keeps no connection does.
  const once = proxy === null ? false : connectThrough(proxy, new HttpsAgent());
  if (proxy !== null) connectThrough(proxy, secure);
  const agents = { plain: [plain, false], secure: [secure, once] } as const;
  const originOf = rememberOrigins();

  return function sendOverNode(request: TransportRequest): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      const origin = originOf(request.url);
      assertAllowed(request.url);
      const isPlain = origin.protocol === "http:";
      const openRequest = isPlain ? openHttp : openHttps;
      const [kept, single] = isPlain ? agents.plain : agents.secure;
      const outgoing = openRequest({
        ...origin.address,
        path: request.url.slice(origin.length) || "/",
        method: request.method,
        headers: request.headers,
        agent: request.reuseConnection ? kept : single,
        ...trust,
        ...guard,
      });
      const sending = startSending(outgoing, request, isPlain ? null : secured);
      const stopListening = onAbort(request, () => outgoing.destroy(sending.abortError()));
      outgoing.on("error", (error) => {
        stopListening();
        reject(error);
      });
      outgoing.on("response", (incoming) => {
        incoming.on("close", stopListening);
        collect(incoming, request.maxBytes, resolve, reject);
      });
    });
  };
}

/** Node looks no IP address up, and the names of this machine need no DNS. @throws BlockedAddressError */
function assertPublicHost(url: string): void {
  const target = new URL(url);
  if (isPrivateHost(target)) throw new BlockedAddressError(target.hostname);
}

/** What Node needs of an address, without its path. */
type Origin = { readonly protocol: string; readonly address: object; readonly length: number };

/** Parses each origin once: the addresses of one service differ only in what follows the origin. */
function rememberOrigins(): (url: string) => Origin {
  const origins = new Map<string, Origin>();
  return (url) => {
    const text = ORIGIN.exec(url)?.[0] ?? url;
    const known = origins.get(text);
    if (known !== undefined) return known;
    const { protocol, hostname, port } = new URL(text);
    const address = { protocol, hostname: hostname.replace(/^\[|\]$/g, ""), port };
    const origin = { protocol, address, length: text.length };
    if (origins.size === MAX_REMEMBERED_ORIGINS) origins.clear();
    origins.set(text, origin);
    return origin;
  };
}

const ORIGIN = /^\w+:\/\/[^/?#]*/;

/** The error of a request that is aborted says whether a part of it may have been sent. */
type Sending = { abortError(): Error };

/**
 * Sends a request at once, or, with `sendBy`, when its connection is ready. Until then nothing is given to the request, because Node
 * sends it later without asking again.
 *
 * @param secured the connections whose TLS handshake is done; null for plain HTTP
 */
function startSending(outgoing: ClientRequest, request: TransportRequest, secured: WeakSet<Duplex> | null): Sending {
  const { sendBy, body } = request;
  let isSent = sendBy === undefined;

  function sendInTime(): void {
    if (sendBy?.isOver()) {
      outgoing.destroy(notSent());
      return;
    }
    isSent = true;
    send(outgoing, body);
  }

  if (isSent) send(outgoing, body);
  else
    outgoing.once("socket", (socket) => {
      const isConnected = secured === null ? !socket.connecting : secured.has(socket);
      if (isConnected) sendInTime();
      else socket.once(secured === null ? "connect" : "secureConnect", sendInTime);
    });
  return { abortError: () => (isSent ? new Error("The call ended.") : notSent()) };
}

/** The connections of an agent whose TLS handshake is done. A request cannot see it: the agent passes a connection on without a word. */
function rememberSecured(agent: HttpsAgent): WeakSet<Duplex> {
  const secured = new WeakSet<Duplex>();
  const { createConnection } = agent;
  agent.createConnection = (...parameters) => {
    const socket = createConnection.apply(agent, parameters);
    socket?.once("secureConnect", () => secured.add(socket));
    return socket;
  };
  return secured;
}

function send(outgoing: ClientRequest, body: Uint8Array | undefined): void {
  if (body !== undefined) outgoing.setHeader("content-length", body.byteLength);
  outgoing.end(body);
}

/** Replaces the `signal` option of Node's request, which watches the whole life of both streams and costs ten times as much. */
function onAbort(request: TransportRequest, abort: () => void): () => void {
  if (request.onAbort !== undefined) return request.onAbort(abort);
  const { signal } = request;
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort);
  return () => signal.removeEventListener("abort", abort);
}

function collect(
  incoming: IncomingMessage,
  maxBytes: number,
  resolve: (response: TransportResponse) => void,
  reject: (error: unknown) => void,
): void {
  const collector = createBodyCollector(maxBytes);
  incoming.on("data", (chunk: Uint8Array) => {
    try {
      collector.add(chunk);
    } catch (tooLarge) {
      reject(tooLarge);
      incoming.destroy();
    }
  });
  incoming.on("error", (cause) => {
    const message = "The connection closed in the middle of the service's response.";
    reject(new ServiceError("response_truncated", message, { cause }));
  });
  incoming.on("end", () =>
    resolve({ status: incoming.statusCode ?? 0, headers: plainHeaders(incoming), body: collector.bytes() }),
  );
}

/** Node joins the values of a header that occurs twice, except for cookies. */
function plainHeaders({ headers }: IncomingMessage): Record<string, string> {
  const cookies = headers["set-cookie"];
  return (cookies === undefined ? headers : { ...headers, "set-cookie": cookies.join(", ") }) as Record<string, string>;
}
