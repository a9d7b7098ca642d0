import { setTimer } from "@tillkit/core/hosts";
import { runtimeLimits } from "../limits.ts";
import { type AdmittedBody, processBodies, type RawBody, type ReadBodyOptions } from "./read-body.ts";

/**
 * `readBody` for a request of the fetch standard. Its bytes take up room until they have arrived: they are then given to a listener
 * of `node:http`, which makes room for them itself.
 */
export async function readWebBody(
  request: Request,
  { maxBytes, clock, bodies = processBodies }: ReadBodyOptions,
): Promise<RawBody> {
  if (request.bodyUsed || request.body === null) return { status: "complete", bytes: new Uint8Array() };
  const announced = request.headers.get("content-length");
  if (Number(announced ?? 0) > maxBytes) return { status: "too-large" };
  const reader = request.body.getReader();
  let isTooSlow = false;
  function stop(): void {
    isTooSlow = true;
    reader.cancel().catch(() => undefined);
  }
  const bytes = Number(announced ?? Math.min(maxBytes, runtimeLimits.firstChunkBytes));
  const place = bodies.admit({ bytes, clock, onEvicted: stop });
  if (place === null) return { status: "no-room" };
  const cancelTimer = setTimer(clock, runtimeLimits.bodyTimeoutMs, stop);
  try {
    const body = await collect(reader, maxBytes, place);
    return isTooSlow ? { status: "too-slow" } : body;
  } finally {
    cancelTimer();
    place.release();
    reader.cancel().catch(() => undefined);
  }
}

async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
  place: AdmittedBody,
): Promise<RawBody> {
  const chunks: Uint8Array[] = [];
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return { status: "complete", bytes: Buffer.concat(chunks) };
    chunks.push(value);
    size += value.byteLength;
    if (size > maxBytes) return { status: "too-large" };
    if (!place.receive(value.byteLength)) return { status: "no-room" };
  }
}
