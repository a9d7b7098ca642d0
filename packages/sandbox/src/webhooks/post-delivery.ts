import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockedAddressError, isPrivateHost, publicLookup } from "@tillkit/client";
import { limits } from "../domain/limits.ts";
import { deliveryTarget } from "./delivery-url.ts";

export type DeliveryRequest = {
  url: string;
  headers: Record<string, string>;
  bytes: Uint8Array;
  timeoutMs: number;
  allowLoopback: boolean;
  signal?: AbortSignal | undefined;
};

/** The result of one attempt. `error` is null when the receiver responded with any status. */
export type DeliveryResult = {
  status: number | null;
  body: string | null;
  error: "timeout" | "network_error" | "blocked_webhook_url" | null;
};

/** POSTs the bytes within the timeout. Follows no redirect and never throws. */
export async function postDelivery(delivery: DeliveryRequest): Promise<DeliveryResult> {
  const timeout = AbortSignal.timeout(delivery.timeoutMs);
  try {
    const signals = delivery.signal === undefined ? [timeout] : [timeout, delivery.signal];
    return await send(delivery, AbortSignal.any(signals));
  } catch (error) {
    if (timeout.aborted) return failedResult("timeout");
    return failedResult(error instanceof BlockedAddressError ? "blocked_webhook_url" : "network_error");
  }
}

function failedResult(error: NonNullable<DeliveryResult["error"]>): DeliveryResult {
  return { status: null, body: null, error };
}

function send({ url, headers, bytes, allowLoopback }: DeliveryRequest, signal: AbortSignal): Promise<DeliveryResult> {
  const target = deliveryTarget(url);
  if (!allowLoopback && isPrivateHost(target)) throw new BlockedAddressError(target.hostname);
  const createRequest = target.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = createRequest(
      target,
      // A new connection for each attempt, because a stale kept-alive connection would look like an error of the receiver.
      { method: "POST", headers, signal, agent: false, ...(allowLoopback ? {} : { lookup: publicLookup }) },
      (response) => {
        readResponseBody(response).then(
          (body) => resolve({ status: response.statusCode ?? null, body, error: null }),
          reject,
        );
      },
    );
    request.on("error", reject);
    request.end(bytes);
  });
}

async function readResponseBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, Math.max(0, limits.responseBodyKept - size)));
    size += chunk.length;
    // The rest of a long response is not read.
    if (size > limits.responseBodyKept) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}
