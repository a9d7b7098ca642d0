import type { IncomingMessage } from "node:http";
import { type Clock, limits } from "@tillkit/core";
import { runtimeLimits } from "../limits.ts";

/** `aborted`: the sender closed the connection before the end. */
export type RawBody =
  | { readonly status: "complete"; readonly bytes: Uint8Array }
  | { readonly status: "too-large" | "too-slow" | "aborted" };

/** Abort with a string: building the default AbortError with its stack is the most expensive part of a delivery. */
const FINISHED = "finished";

/** Reads the raw bytes, up to 256 KB and for up to ten seconds: the signature covers the bytes as they were sent. */
export function readRawBody(request: IncomingMessage, clock: Clock): Promise<RawBody> {
  if (Number(request.headers["content-length"] ?? 0) > limits.maxDeliveryBytes) {
    return Promise.resolve({ status: "too-large" });
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const timeout = new AbortController();
    let size = 0;

    function finish(body: RawBody): void {
      timeout.abort(FINISHED);
      request.off("data", append);
      resolve(body);
    }
    function append(chunk: Buffer): void {
      size += chunk.length;
      if (size > limits.maxDeliveryBytes) finish({ status: "too-large" });
      else chunks.push(chunk);
    }

    request.on("data", append);
    request.once("end", () => finish({ status: "complete", bytes: Buffer.concat(chunks, size) }));
    request.once("close", () => finish({ status: "aborted" }));
    clock.sleep(runtimeLimits.bodyTimeoutMs, timeout.signal).then(
      () => finish({ status: "too-slow" }),
      () => undefined,
    );
  });
}
