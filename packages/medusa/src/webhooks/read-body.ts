import type { IncomingMessage } from "node:http";
import { type Clock, limits } from "@tillkit/core";
import { pluginLimits } from "../limits.ts";

export type BodyReading =
  | { readonly say: "read"; readonly bytes: Uint8Array }
  | { readonly say: "too-large" | "too-slow" | "left" | "taken" };

/** The raw bytes, as they were signed. `taken`: a parser was faster. `left`: the sender hung up before the end. */
export function readBody(request: IncomingMessage, clock: Clock): Promise<BodyReading> {
  if (request.readableDidRead) return Promise.resolve({ say: "taken" });
  if (Number(request.headers["content-length"] ?? 0) > limits.deliveryBytes) {
    return Promise.resolve({ say: "too-large" });
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const finished = new AbortController();
    let size = 0;

    function finish(reading: BodyReading): void {
      finished.abort("over");
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
    clock.sleep(pluginLimits.bodyMs, finished.signal).then(
      () => finish({ say: "too-slow" }),
      () => undefined,
    );
  });
}
