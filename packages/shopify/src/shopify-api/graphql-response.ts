import { StoreError } from "@tillkit/core";
import { z } from "zod";
import { shopifyLimits } from "../limits.ts";
import { AccessDenied } from "./access-denied.ts";
import type { Operation } from "./operation.ts";
import type { JsonResponse } from "./post-json.ts";

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

/** Whether Shopify refuses the token. A shop that no longer exists answers 404; a later shop may take its domain. */
export function isTokenRefused({ status }: JsonResponse): boolean {
  return status === 401 || status === 403 || status === 404;
}

/** Shopify may ask for a wait of zero, and a call at once would only be throttled again. */
const SHORTEST_THROTTLE_WAIT_MS = 100;

/** How long Shopify's throttle asks us to wait, in milliseconds. Null where it does not throttle. */
export function throttleWaitMs({ status, headers, body }: JsonResponse, now: number): number | null {
  if (status === 429) return retryAfterMs(headers.get("retry-after"), now);
  const parsed = envelope.safeParse(body);
  if (status !== 200 || !parsed.success) return null;
  if (!parsed.data.errors?.some(({ extensions }) => extensions?.code === "THROTTLED")) return null;
  const cost = parsed.data.extensions?.cost;
  if (!cost) return shopifyLimits.longestThrottleWaitMs;
  const { currentlyAvailable, restoreRate } = cost.throttleStatus;
  // Shopify restores this many points a second.
  return Math.max(
    SHORTEST_THROTTLE_WAIT_MS,
    Math.ceil(((cost.requestedQueryCost - currentlyAvailable) / restoreRate) * 1_000),
  );
}

function retryAfterMs(header: string | null, now: number): number {
  const seconds = Number(header);
  if (header !== null && Number.isFinite(seconds)) return Math.max(SHORTEST_THROTTLE_WAIT_MS, seconds * 1_000);
  const retryAt = header === null ? Number.NaN : Date.parse(header);
  return Number.isNaN(retryAt)
    ? shopifyLimits.longestThrottleWaitMs
    : Math.max(SHORTEST_THROTTLE_WAIT_MS, retryAt - now);
}

/** @throws StoreError for every response that is not the data of this operation */
export function readData<Data>(response: JsonResponse, { name, schema }: Operation<Data>): Data {
  const { status } = response;
  if (status === 402 || status === 423) {
    throw new StoreError("unavailable", `Shopify has closed this shop (${status === 402 ? "frozen" : "locked"}).`);
  }
  if (status !== 200) {
    const code = status >= 500 ? "unknown" : "unavailable";
    throw new StoreError(code, `Shopify answered ${status} to ${name}.`);
  }
  const parsed = envelope.safeParse(response.body);
  if (!parsed.success) throw new StoreError("unknown", `Shopify's answer to ${name} cannot be read.`);
  const [error] = parsed.data.errors ?? [];
  if (error) throw toStoreError(name, error.extensions?.code);
  const data = schema.safeParse(parsed.data.data);
  if (!data.success) throw new StoreError("unknown", `Shopify's answer to ${name} has an unexpected shape.`);
  return data.data;
}

function toStoreError(name: string, code = "no code"): StoreError {
  if (code === "ACCESS_DENIED") return new AccessDenied(name);
  // Shopify reports these errors before it executes anything. Any other error may come after an effect.
  const isValidation = ["undefinedField", "argumentLiteralsIncompatible", "MAX_COST_EXCEEDED"].includes(code);
  return new StoreError(isValidation ? "unavailable" : "unknown", `Shopify answered ${name} with an error (${code}).`);
}
