import type { IncomingMessage } from "node:http";
import { type Clock, limits, setTimer } from "@tillkit/core";
import { runtimeLimits } from "../limits.ts";

/** `aborted`: the sender closed the connection before the end. */
export type RawBody =
  | { readonly status: "complete"; readonly bytes: Uint8Array }
  | { readonly status: "too-large" | "too-slow" | "aborted" };

/** Reads the raw bytes, up to 256 KB and for up to ten seconds: the signature covers the bytes as they were sent. */
export function readRawBody(request: IncomingMessage, clock: Clock): Promise<RawBody> {
  if (Number(request.headers["content-length"] ?? 0) > limits.maxDeliveryBytes) {
    return Promise.resolve({ status: "too-large" });
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const cancelTimer = setTimer(clock, runtimeLimits.bodyTimeoutMs, () => finish({ status: "too-slow" }));
    let size = 0;

    function finish(body: RawBody): void {
      cancelTimer();
      request.off("data", append);
      resolve(body);
    }
    function append(chunk: Buffer): void {
      size += chunk.length;
      if (size > limits.maxDeliveryBytes) finish({ status: "too-large" });
      else chunks.push(chunk);
    }

    request.on("data", append);
    request.on("end", () => finish({ status: "complete", bytes: joinChunks(chunks, size) }));
    request.on("close", () => finish({ status: "aborted" }));
  });
}

// Nearly every delivery arrives in one piece, which needs no copy.
function joinChunks(chunks: readonly Buffer[], size: number): Uint8Array {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, size);
}
