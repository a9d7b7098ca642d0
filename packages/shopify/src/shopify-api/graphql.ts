import type { SendBy, Transport } from "@tillkit/client";
import { type Clock, StoreError } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";
import { AccessDenied } from "./access-denied.ts";
import type { AccessTokens } from "./access-tokens.ts";
import { createShopCircuitBreakers } from "./circuit-breakers.ts";
import { isTokenRefused, readData, throttleWaitMs } from "./graphql-response.ts";
import type { Operation } from "./operation.ts";
import { type JsonResponse, postJson } from "./post-json.ts";

export type Graphql = {
  /**
   * Executes one operation in one shop. `userErrors` are part of its data.
   * @throws AccessDenied where Shopify denies this operation
   * @throws StoreError `unavailable`: Shopify certainly did nothing; `unknown`: it may have executed the mutation;
   * `reconnect`: Shopify refuses our token; `owner`: there is no token. The owner must open the app in the shop again
   */
  call<Data>(shop: string, operation: Operation<Data>, variables: object): Promise<Data>;
  /** The same calls, which send nothing after this moment. */
  withSendBy(sendBy: SendBy): Graphql;
};

export type GraphqlOptions = {
  readonly tokens: Pick<AccessTokens, "get" | "replace">;
  readonly shopUrl: (shop: string) => string;
  readonly apiVersion: string;
  readonly clock: Clock;
  readonly transport?: Transport | undefined;
  /** Called after Shopify has answered with data. */
  readonly onAnswered: (shop: string) => Promise<void>;
  /** Receives a sentence when the owner must open the app again. */
  readonly onReconnectRequired: (shop: string, reason: string) => Promise<void>;
  /** Receives the name of an operation that Shopify denies and the app needs. */
  readonly onAccessDenied: (shop: string, operation: string) => Promise<void>;
};

const API_PATHS = { payments: "payments_apps/api", admin: "admin/api" } as const;

export function createGraphql(options: GraphqlOptions): Graphql {
  const { tokens, shopUrl, apiVersion, clock, onAnswered, onReconnectRequired, onAccessDenied } = options;
  const circuitBreakers = createShopCircuitBreakers(clock);

  async function post(shop: string, { api, text }: Operation<unknown>, { variables, sendBy }: Call, token: string) {
    const url = `${shopUrl(shop)}/${API_PATHS[api]}/${apiVersion}/graphql.json`;
    const headers = { "x-shopify-access-token": token };
    const body = { query: text, variables };
    try {
      const response = await postJson({ url, headers, body, clock, sendBy, transport: options.transport });
      if (response.status < 500) circuitBreakers.recordAnswer(shop);
      else circuitBreakers.recordFailure(shop);
      return response;
    } catch (error) {
      circuitBreakers.recordFailure(shop);
      throw error;
    }
  }

  // A refused token is replaced once. When Shopify refuses the new token too, the owner must install the app again.
  async function postWithToken(shop: string, operation: Operation<unknown>, call: Call) {
    const token = await tokens.get(shop);
    const response = await post(shop, operation, call, token);
    if (!isTokenRefused(response)) return response;
    const newToken = await tokens.replace(shop, token);
    const secondResponse: JsonResponse = await post(shop, operation, call, newToken);
    if (!isTokenRefused(secondResponse)) return secondResponse;
    throw new StoreError(
      "reconnect",
      `Shopify refuses our access (${secondResponse.status}): the owner must open the app in the shop again.`,
    );
  }

  async function callThrottled<Data>(shop: string, operation: Operation<Data>, call: Call): Promise<Data> {
    for (let attempt = 1; ; attempt += 1) {
      circuitBreakers.assertClosed(shop);
      const response = await postWithToken(shop, operation, call);
      const waitMs = throttleWaitMs(response, clock.now());
      if (waitMs === null) return readData(response, operation);
      if (attempt >= shopifyLimits.throttleAttempts) circuitBreakers.giveUp(shop, waitMs);
      await circuitBreakers.throttle(shop, waitMs);
    }
  }

  async function report(shop: string, { name, mayBeDenied }: Operation<unknown>, error: StoreError): Promise<void> {
    if (error.code === "reconnect" || error.code === "owner") await onReconnectRequired(shop, error.message);
    if (error instanceof AccessDenied && !mayBeDenied) await onAccessDenied(shop, name);
  }

  function graphqlWith(sendBy?: SendBy): Graphql {
    return {
      async call(shop, operation, variables) {
        try {
          const data = await callThrottled(shop, operation, { variables, sendBy });
          await onAnswered(shop);
          return data;
        } catch (error) {
          if (!(error instanceof StoreError)) throw error;
          await report(shop, operation, error);
          // A query changes nothing, so a query whose answer was lost is `unavailable` and can be repeated.
          const isQuery = operation.text.startsWith("query");
          throw isQuery && error.code === "unknown" ? new StoreError("unavailable", error.message) : error;
        }
      },
      withSendBy: graphqlWith,
    };
  }

  return graphqlWith();
}

type Call = { readonly variables: object; readonly sendBy: SendBy | undefined };
