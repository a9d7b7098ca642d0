import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "@tillkit/core";
import { setTimer } from "@tillkit/core/hosts";
import { runtimeLimits } from "../limits.ts";
import { type BodyLimiter, processBodies } from "./body-limiter.ts";

/**
 * `no-room`: the process holds as many bodies as it may, and read nothing of this one. `too-slow`: the sender was too slow, or lost
 * its place to a faster one. `aborted`: the sender closed the connection before the end.
 */
export type RawBody =
  | { readonly status: "complete"; readonly bytes: Uint8Array }
  | { readonly status: "too-large" | "too-slow" | "no-room" | "aborted" };

export type ReadBodyOptions = {
  /** A larger body is refused. */
  readonly maxBytes: number;
  readonly clock: Clock;
  /** The default is the limiter of the process. */
  readonly bodies?: BodyLimiter | undefined;
};

/**
 * Reads the raw bytes of a request for up to ten seconds. The bytes take up room in the process's limiter until the response is
 * finished.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, clock, bodies = processBodies }: ReadBodyOptions,
): Promise<RawBody> {
  const announced = request.headers["content-length"];
  const announcedBytes = Number(announced ?? 0);
  if (announcedBytes > maxBytes) return Promise.resolve({ status: "too-large" });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isFinished = false;
    const firstBytes = announced === undefined ? Math.min(maxBytes, runtimeLimits.firstChunkBytes) : announcedBytes;
    const place = bodies.admit({ bytes: firstBytes, clock, onEvicted: () => finish({ status: "too-slow" }) });
    if (place === null) return resolve({ status: "no-room" });
    const cancelTimer = setTimer(clock, runtimeLimits.bodyTimeoutMs, () => finish({ status: "too-slow" }));

    function finish(body: RawBody): void {
      if (isFinished) return;
      isFinished = true;
      cancelTimer();
      request.off("data", append);
      if (body.status === "complete") place?.complete();
      else place?.release();
      chunks.length = 0;
      resolve(body);
    }
    function append(chunk: Buffer): void {
      size += chunk.length;
      if (size > maxBytes) finish({ status: "too-large" });
      else if (place?.receive(chunk.length) === false) finish({ status: "no-room" });
      else chunks.push(chunk);
    }

    request.on("data", append);
    request.on("end", () => finish({ status: "complete", bytes: joinChunks(chunks, size) }));
    request.on("close", () => finish({ status: "aborted" }));
    response.on("close", () => place.release());
  });
}

/**
 * The exact bytes of a body that the host read before us, if it kept them: Firebase and Nest as `request.rawBody`, `express.raw()` and
 * hosts of cloud functions as `request.body`. Null: it kept none. Text is not taken, because decoding may have replaced bytes.
 */
export function hostBytes(request: IncomingMessage & HostBody): Uint8Array | null {
  if (request.rawBody instanceof Uint8Array) return request.rawBody;
  return request.body instanceof Uint8Array ? request.body : null;
}

/** What a host adds to a request. */
export type HostBody = { readonly rawBody?: unknown; readonly body?: unknown };

/**
 * Closes the connection of a refused request whose body has not arrived yet. Closing at once would reset the connection, and the
 * sender would not see why it was refused. What arrives meanwhile is dropped.
 */
export function hangUpLater(request: IncomingMessage, clock: Clock): void {
  if (request.readableEnded) return;
  const hangUpDelay = new AbortController();
  request.once("close", () => hangUpDelay.abort());
  request.resume();
  clock.sleep(runtimeLimits.hangUpDelayMs, hangUpDelay.signal).then(
    () => request.destroy(),
    () => undefined,
  );
}

/**
 * Closes the connection as soon as the refusal is sent, because reading and dropping the bodies of thousands of senders would delay
 * the requests that are served. Called before the refusal is sent.
 */
export function hangUpAfterResponse(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.once("finish", () => {
    if (!request.readableEnded) request.destroy();
  });
}

// Nearly every body arrives in one piece, which needs no copy.
function joinChunks(chunks: readonly Buffer[], size: number): Uint8Array {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, size);
}
