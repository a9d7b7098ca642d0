import { type Clock, StoreError } from "@tillkit/core";
import { z } from "zod";
import { shopifyLimits } from "../limits.ts";
import type { AccessTokens } from "../oauth/access-tokens.ts";
import type { Operation } from "./operation.ts";
import { type JsonAnswer, postJson } from "./post-json.ts";
import { createQuietShops } from "./quiet-shops.ts";

export type Graphql = {
  /**
   * One operation in one shop. Its `userErrors` are an answer; whatever is none is thrown.
   * @throws StoreError `unavailable`: certainly nothing was done; `unknown`: it may have been; `reconnect`: the owner must
   * open the app in the shop again
   */
  call<Data>(shop: string, operation: Operation<Data>, variables: object): Promise<Data>;
};

export type GraphqlOptions = {
  readonly tokens: AccessTokens;
  readonly originOf: (shop: string) => string;
  readonly apiVersion: string;
  readonly clock: Clock;
  /** The owner has to do something: in words. */
  readonly onTrouble: (shop: string, trouble: string) => Promise<void>;
};

const PATHS = { payments: "payments_apps/api", admin: "admin/api" } as const;

export function createGraphql({ tokens, originOf, apiVersion, clock, onTrouble }: GraphqlOptions): Graphql {
  const quiet = createQuietShops(clock);

  async function post<Data>(shop: string, { api, text }: Operation<Data>, variables: object, token: string) {
    const url = `${originOf(shop)}/${PATHS[api]}/${apiVersion}/graphql.json`;
    const headers = { "X-Shopify-Access-Token": token };
    try {
      const answer = await postJson({ url, headers, body: { query: text, variables }, clock });
      quiet.heard(shop, answer.status < 500);
      return answer;
    } catch (error) {
      quiet.heard(shop, false);
      throw error;
    }
  }

  // A token that is refused is renewed once; refused again, somebody has to install the app anew.
  async function postAllowed<Data>(shop: string, operation: Operation<Data>, variables: object): Promise<JsonAnswer> {
    const token = await tokens.get(shop);
    const answer = await post(shop, operation, variables, token);
    if (!isRefused(answer)) return answer;
    const again = await post(shop, operation, variables, await tokens.instead(shop, token));
    if (!isRefused(again)) return again;
    throw new StoreError(
      "reconnect",
      `Shopify refuses our access (${again.status}): the owner must open the app in the shop again.`,
    );
  }

  async function ask<Data>(shop: string, operation: Operation<Data>, variables: object): Promise<Data> {
    for (let tries = 1; ; tries += 1) {
      quiet.assertOpen(shop);
      const answer = await postAllowed(shop, operation, variables);
      const waitMs = throttledFor(answer, clock.now());
      if (waitMs === null) return readData(answer, operation);
      await quiet.pause(shop, tries < shopifyLimits.throttledTries ? waitMs : Number.POSITIVE_INFINITY);
    }
  }

  return {
    async call(shop, operation, variables) {
      try {
        return await ask(shop, operation, variables);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        if (error.code === "reconnect") await onTrouble(shop, error.message);
        // Whatever became of a question, it changed nothing.
        const isQuestion = operation.text.startsWith("query");
        throw isQuestion && error.code === "unknown" ? new StoreError("unavailable", error.message) : error;
      }
    },
  };
}

// A shop that is not there answers 404: its token may be another shop's of the same name.
function isRefused({ status }: JsonAnswer): boolean {
  return status === 401 || status === 403 || status === 404;
}

const envelope = z.object({
  data: z.unknown().optional(),
  errors: z
    .array(z.object({ message: z.string(), extensions: z.object({ code: z.string().optional() }).optional() }))
    .optional(),
  extensions: z
    .object({
      cost: z
        .object({
          requestedQueryCost: z.number(),
          throttleStatus: z.object({ currentlyAvailable: z.number(), restoreRate: z.number().positive() }),
        })
        .optional(),
    })
    .optional(),
});

/** How long Shopify wants us to wait, null when it does not. Milliseconds. */
function throttledFor({ status, headers, body }: JsonAnswer, now: number): number | null {
  if (status === 429) return retryAfterMs(headers.get("retry-after"), now);
  const read = envelope.safeParse(body);
  if (status !== 200 || !read.success) return null;
  if (!read.data.errors?.some(({ extensions }) => extensions?.code === "THROTTLED")) return null;
  const cost = read.data.extensions?.cost;
  if (!cost) return shopifyLimits.throttledMs;
  const { currentlyAvailable, restoreRate } = cost.throttleStatus;
  return Math.max(100, Math.ceil(((cost.requestedQueryCost - currentlyAvailable) / restoreRate) * 1_000));
}

function retryAfterMs(header: string | null, now: number): number {
  const seconds = Number(header);
  if (header !== null && Number.isFinite(seconds)) return Math.max(100, seconds * 1_000);
  const at = header === null ? Number.NaN : Date.parse(header);
  return Number.isNaN(at) ? shopifyLimits.throttledMs : Math.max(100, at - now);
}

function readData<Data>(answer: JsonAnswer, { name, schema }: Operation<Data>): Data {
  const { status } = answer;
  if (status === 402 || status === 423) {
    throw new StoreError(
      "unavailable",
      `Shopify has closed this shop for now (${status === 402 ? "frozen" : "locked"}).`,
    );
  }
  if (status !== 200) {
    const code = status >= 500 ? "unknown" : "unavailable";
    throw new StoreError(code, `Shopify answered ${status} to ${name}.`);
  }
  const read = envelope.safeParse(answer.body);
  if (!read.success) throw new StoreError("unknown", `Shopify's answer to ${name} cannot be read.`);
  const [error] = read.data.errors ?? [];
  if (error) throw errorOf(name, error.extensions?.code);
  const data = schema.safeParse(read.data.data);
  if (!data.success) throw new StoreError("unknown", `Shopify's answer to ${name} is not the one we know.`);
  return data.data;
}

function errorOf(name: string, code = "no code"): StoreError {
  if (code === "ACCESS_DENIED") {
    return new StoreError("reconnect", `Shopify denies ${name}: the app needs a scope that its owner has not granted.`);
  }
  // What is refused before it is run did nothing; anything else may have.
  const isBefore = code === "undefinedField" || code === "argumentLiteralsIncompatible" || code === "MAX_COST_EXCEEDED";
  return new StoreError(isBefore ? "unavailable" : "unknown", `Shopify answered ${name} with an error (${code}).`);
}
