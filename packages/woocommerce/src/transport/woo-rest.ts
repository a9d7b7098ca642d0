import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { type Clock, StoreError } from "@tillkit/core";
import imported from "@woocommerce/woocommerce-rest-api";
import { wooLimits } from "../limits.ts";
import { openDeadline } from "./deadline.ts";
import { errorCodeOf, readJson } from "./read-json.ts";
import { type CallKind, notAnswered, notTheApi } from "./trouble.ts";

export type WooRestOptions = {
  /** The shop's address, without a slash at the end. */
  readonly url: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly clock: Clock;
};

/** An answer of the API. `code` is the shop's own word for an error, null for a success. */
export type WooReply = {
  readonly status: number;
  readonly code: string | null;
  readonly body: object;
  readonly pages: number;
};

/**
 * WooCommerce's REST API, version 3 (`/wp-json/wc/v3/{path}`). Answers only what is the API's: JSON, without a redirect,
 * within a total deadline. Everything else is thrown as a StoreError that holds nothing of the request.
 */
export type WooRest = {
  get(path: string, query?: Query): Promise<WooReply>;
  put(path: string, body: object): Promise<WooReply>;
  post(path: string, body: object): Promise<WooReply>;
  /** The same, sending nothing after that moment (milliseconds since 1970). */
  until(at: number): WooRest;
};

export type Query = Readonly<Record<string, string | number | boolean | readonly string[]>>;

type Api = {
  get(path: string, query?: object): Promise<unknown>;
  put(path: string, body: object): Promise<unknown>;
  post(path: string, body: object): Promise<unknown>;
};
type ApiClass = new (options: Readonly<Record<string, unknown>>) => Api;

// Under Node's own ESM the default import is the whole CommonJS module; bundlers and test runners unpack it.
const module = imported as unknown as ApiClass & { readonly default?: ApiClass };
const WooCommerceRestApi: ApiClass = module.default ?? module;

export function createWooRest({ url, consumerKey, consumerSecret, clock }: WooRestOptions): WooRest {
  // No keep-alive: a write on a connection that the shop has just closed would look like a lost answer.
  const agentOptions = { keepAlive: false, maxSockets: wooLimits.requestsAtOnce };
  const transport = {
    maxRedirects: 0,
    proxy: false,
    responseType: "text",
    transformResponse: [(text: unknown) => text],
    validateStatus: () => true,
    maxContentLength: wooLimits.answerBytes,
    httpAgent: new HttpAgent(agentOptions),
    httpsAgent: new HttpsAgent(agentOptions),
  };

  async function call(kind: CallKind, until: number | undefined, send: Send): Promise<WooReply> {
    const deadline = openDeadline(clock, kind === "read" ? wooLimits.readMs : wooLimits.writeMs, until);
    const axiosConfig = { ...transport, signal: deadline.late };
    try {
      const api = new WooCommerceRestApi({ url, consumerKey, consumerSecret, version: "wc/v3", axiosConfig });
      return readReply(await send(api), kind);
    } catch (caught) {
      throw caught instanceof StoreError ? caught : notAnswered(caught, kind);
    } finally {
      deadline.met();
    }
  }

  function sending(until?: number): WooRest {
    return {
      get: (path, query) => call("read", until, (api) => api.get(path, query)),
      put: (path, body) => call("write", until, (api) => api.put(path, body)),
      post: (path, body) => call("write", until, (api) => api.post(path, body)),
      until: sending,
    };
  }

  return sending();
}

type Send = (api: Api) => Promise<unknown>;

function readReply(answer: unknown, kind: CallKind): WooReply {
  const { status, data, headers } = answer as { status: number; data: unknown; headers: Record<string, unknown> };
  const body = readJson(String(data));
  const trouble = notTheApi(status, body, kind);
  if (trouble) throw trouble;
  const code = status < 400 ? null : errorCodeOf(body ?? {});
  if (status === 401 || status === 403) throw refused(status, code);
  if (status === 429) throw new StoreError("unavailable", "The shop asks us to wait (429).");
  if (body === null || (status >= 400 && code === null)) throw strange(status, kind);
  return { status, code, body, pages: Number(headers["x-wp-totalpages"] ?? 1) || 1 };
}

function refused(status: number, code: string | null): StoreError {
  const what = `The shop refused our REST key (${status} ${code ?? "without a code"})`;
  const message = `${what}: renew it under WooCommerce, Settings, Advanced, REST API, with the right to read and write.`;
  return new StoreError("reconnect", message);
}

function strange(status: number, kind: CallKind): StoreError {
  const what = `The shop answered ${status} in a form that is not its API's`;
  if (kind === "read") return new StoreError("unavailable", `${what}.`);
  return new StoreError("unknown", `${what}: it may have done what it was asked.`);
}

/** For answers that only a success makes sense of. */
export function expectSuccess(reply: WooReply, kind: CallKind): object {
  if (reply.status < 300) return reply.body;
  const what = `The shop answered ${reply.status} ${reply.code}`;
  if (kind === "read" || reply.status < 500) throw new StoreError("unavailable", `${what}.`);
  throw new StoreError("unknown", `${what}: it may have done what it was asked.`);
}
