import type { IncomingMessage } from "node:http";
import { type Clock, limits } from "@tillkit/core";
import { hostLimits } from "../limits.ts";

export type BodyReading =
  | { readonly say: "read"; readonly bytes: Uint8Array }
  | { readonly say: "too-large" | "too-slow" | "left" };

/** Without a reason of ours each abort would make an error of its own, stack and all: the dearest part of a delivery. */
const OVER = "over";

/** The raw bytes: the signature covers them as they were sent. `left`: the sender hung up before the end. */
export function readBody(request: IncomingMessage, clock: Clock): Promise<BodyReading> {
  if (Number(request.headers["content-length"] ?? 0) > limits.deliveryBytes) {
    return Promise.resolve({ say: "too-large" });
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const finished = new AbortController();
    let size = 0;

    function finish(reading: BodyReading): void {
      finished.abort(OVER);
      request.off("data", take);
      resolve(reading);
    }
    function take(chunk: Buffer): void {
      size += chunk.length;
      if (size > limits.deliveryBytes) finish({ say: "too-large" });
      else chunks.push(chunk);
    }

    request.on("data", take);
    request.once("end", () => finish({ say: "read", bytes: Buffer.concat(chunks, size) }));
    request.once("close", () => finish({ say: "left" }));
    clock.sleep(hostLimits.bodyMs, finished.signal).then(
      () => finish({ say: "too-slow" }),
      () => undefined,
    );
  });
}

/** A parser in front has taken the bytes; what it made of them cannot be verified. */
export function bodyWasTaken(request: IncomingMessage & { readonly body?: unknown }): boolean {
  return request.readableDidRead || request.body !== undefined;
}
