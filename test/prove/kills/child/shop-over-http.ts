import { Agent, request } from "node:http";
import { type StoreAdapter, StoreError, type StoreErrorCode } from "@tillkit/core";
import type { StoreDescription } from "../messages.ts";

const agent = new Agent({ keepAlive: true });

/** The adapter of a shop in another process. The shop counts its own effects and outlives every kill. */
export function shopOverHttp(description: StoreDescription, shopUrl: string): StoreAdapter {
  const methods = description.methods.map((method) => [
    method,
    (...parameters: unknown[]) => callShop(`${shopUrl}/shop/${description.storeId}/${method}`, parameters),
  ]);
  return { ...Object.fromEntries(methods), platform: description.platform, writes: description.writes };
}

/** The shop's answer. `error` is the error that its adapter threw. */
export type ShopReply = {
  readonly answer?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
};

async function callShop(url: string, parameters: readonly unknown[]): Promise<unknown> {
  const { answer, error } = await post(url, JSON.stringify(parameters)).catch((cause: unknown): never => {
    throw new StoreError("unknown", "The shop did not answer.", { cause });
  });
  if (error) throw new StoreError(error.code as StoreErrorCode, error.message);
  return answer ?? null;
}

function post(url: string, body: string): Promise<ShopReply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString()) as ShopReply));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
