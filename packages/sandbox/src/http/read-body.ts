import type { IncomingMessage } from "node:http";
import type { RequestBody } from "./read-json.ts";

/** Reads a whole body. A body above `limit` bytes is discarded and returned as "too-large". */
export async function readBody(request: IncomingMessage, limit: number): Promise<RequestBody> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > limit) {
    request.resume();
    return "too-large";
  }
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on("end", () => resolve(size > limit ? "too-large" : Buffer.concat(chunks)));
    request.on("error", reject);
  });
}
