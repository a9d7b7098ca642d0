import { createNodeTransport, type SendBy, type Transport } from "@tillkit/client";
import { type Clock, StoreError } from "@tillkit/core";
import {
  type CallKind,
  connectionError,
  errorCodeOf,
  readJson,
  responseError,
  sendRequest,
  startDeadline,
} from "@tillkit/php-bridge";
import imported from "@woocommerce/woocommerce-rest-api";
import { wooLimits } from "../limits.ts";

export type WooRestOptions = {
  /** The shop's address, without a slash at the end. */
  readonly url: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly clock: Clock;
  readonly transport?: Transport | undefined;
};

/** A response of the API. `code`: the shop's error code, null for a success. `pages`: from `X-WP-TotalPages`. */
export type WooReply = {
  readonly status: number;
  readonly code: string | null;
  readonly body: object;
  readonly pages: number;
};

/**
 * WooCommerce's REST API, version 3 (`/wp-json/wc/v3/{path}`). Returns JSON responses only, without redirects, within a total
 * deadline. Everything else is thrown as a StoreError that contains nothing of the request.
 */
export type WooRest = {
  get(path: string, query?: Query): Promise<WooReply>;
  put(path: string, body: object): Promise<WooReply>;
  post(path: string, body: object): Promise<WooReply>;
  /** The same client, which sends nothing after this moment. */
  withSendBy(sendBy: SendBy): WooRest;
};

export type Query = Readonly<Record<string, string | number | boolean | readonly string[]>>;

type Api = {
  get(path: string, query?: object): Promise<unknown>;
  put(path: string, body: object): Promise<unknown>;
  post(path: string, body: object): Promise<unknown>;
};
type ApiClass = new (options: Readonly<Record<string, unknown>>) => Api;

// In Node's ESM the default import is the whole CommonJS module; bundlers and test runners unwrap it.
const module = imported as unknown as ApiClass & { readonly default?: ApiClass };
const WooCommerceRestApi: ApiClass = module.default ?? module;

export function createWooRest({ url, consumerKey, consumerSecret, clock, ...options }: WooRestOptions): WooRest {
  const { concurrentRequests: maxConnections } = wooLimits;
  // No keep-alive: a write on a connection that the shop has just closed would look like a lost answer.
  const transport = options.transport ?? createNodeTransport({ keepAlive: false, maxConnections });

  async function call(kind: CallKind, sendBy: SendBy | undefined, send: Send): Promise<WooReply> {
    const { signal, cancel } = startDeadline(clock, kind === "read" ? wooLimits.readMs : wooLimits.writeMs, sendBy);
    const axiosConfig = {
      responseType: "text",
      transformResponse: [(text: unknown) => text],
      adapter: (config: AxiosConfig) => sendWithAxiosConfig(transport, config, { signal, sendBy }),
    };
    try {
      const api = new WooCommerceRestApi({ url, consumerKey, consumerSecret, version: "wc/v3", axiosConfig });
      return readReply(await send(api), kind);
    } catch (caught) {
      throw caught instanceof StoreError ? caught : connectionError(caught, kind);
    } finally {
      cancel();
    }
  }

  function clientWith(sendBy?: SendBy): WooRest {
    return {
      get: (path, query) => call("read", sendBy, (api) => api.get(path, query)),
      put: (path, body) => call("write", sendBy, (api) => api.put(path, body)),
      post: (path, body) => call("write", sendBy, (api) => api.post(path, body)),
      withSendBy: clientWith,
    };
  }

  return clientWith();
}

/** What the library decides about a request: WooCommerce's authentication over http (OAuth 1.0a, in `params`) and https (`auth`). */
type AxiosConfig = {
  readonly url: string;
  readonly method: string;
  readonly headers: { toJSON(): Record<string, unknown> };
  readonly params?: Readonly<Record<string, unknown>>;
  readonly data?: string;
  readonly auth?: { readonly username: string; readonly password: string };
};

/** An adapter of axios: the library makes the request, and our transport sends it, because axios cannot hold back its first byte. */
async function sendWithAxiosConfig(
  transport: Transport,
  { url, method, headers, params = {}, data, auth }: AxiosConfig,
  { signal, sendBy }: { readonly signal: AbortSignal; readonly sendBy: SendBy | undefined },
): Promise<object> {
  const address = new URL(url);
  for (const [name, value] of Object.entries(params)) {
    if (Array.isArray(value)) for (const item of value) address.searchParams.append(`${name}[]`, String(item));
    else address.searchParams.append(name, String(value));
  }
  const texts = Object.entries(headers.toJSON()).map(([name, value]) => [name.toLowerCase(), String(value)]);
  const basic = auth && Buffer.from(`${auth.username}:${auth.password}`).toString("base64");
  const request = {
    method: method.toUpperCase(),
    url: address.href,
    headers: { ...Object.fromEntries(texts), ...(basic === undefined ? {} : { authorization: `Basic ${basic}` }) },
    body: data,
    maxBytes: wooLimits.restResponseBytes,
    signal,
    sendBy,
  };
  const answer = await sendRequest(transport, request);
  return { status: answer.status, headers: answer.headers, data: answer.text };
}

type Send = (api: Api) => Promise<unknown>;

function readReply(answer: unknown, kind: CallKind): WooReply {
  const { status, data, headers } = answer as { status: number; data: unknown; headers: Record<string, unknown> };
  const body = readJson(String(data));
  if (body === null && BLOCKED.has(status)) throw blockedError(status);
  const failure = responseError(status, body, kind);
  if (failure) throw failure;
  const code = status < 400 ? null : errorCodeOf(body ?? {});
  if (status === 401 || status === 403) throw keyRefusedError(status, code);
  if (status === 429) throw new StoreError("unavailable", "The shop asks us to wait (429).");
  if (body === null || (status >= 400 && code === null)) throw unexpectedResponseError(status, kind);
  return { status, code, body, pages: Number(headers["x-wp-totalpages"] ?? 1) || 1 };
}

const BLOCKED: ReadonlySet<number> = new Set([401, 403, 404]);

// Whatever answers with its own page instead of the API's errors has done nothing, and does so for minutes or hours.
function blockedError(status: number): StoreError {
  return new StoreError(
    "reconnect",
    `WordPress, or something in front of it, answered ${status} with a page: let /wp-json/ through the firewall, and use pretty permalinks.`,
  );
}

function keyRefusedError(status: number, code: string | null): StoreError {
  const problem = `The shop rejects our REST key (${status} ${code ?? "without a code"})`;
  const message = `${problem}: renew it under WooCommerce, Settings, Advanced, REST API, with the permission Read/Write.`;
  return new StoreError("reconnect", message);
}

function unexpectedResponseError(status: number, kind: CallKind): StoreError {
  const problem = `The shop answered ${status} in an unknown format`;
  if (kind === "read") return new StoreError("unavailable", `${problem}.`);
  return new StoreError("unknown", `${problem}: it may have applied the write.`);
}

/** The body of a successful response. @throws StoreError for every other status */
export function expectSuccess(reply: WooReply, kind: CallKind): object {
  if (reply.status < 300) return reply.body;
  if (reply.code === "rest_no_route") {
    throw new StoreError("reconnect", "The shop lacks the routes of WooCommerce: activate the plugin WooCommerce.");
  }
  const problem = `The shop answered ${reply.status} ${reply.code}`;
  if (kind === "read" || reply.status < 500) throw new StoreError("unavailable", `${problem}.`);
  throw new StoreError("unknown", `${problem}: it may have applied the write.`);
}
