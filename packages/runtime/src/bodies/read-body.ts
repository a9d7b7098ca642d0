import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "@tillkit/core";
import { setTimer } from "@tillkit/core/hosts";
import { runtimeLimits } from "../limits.ts";

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

/**
 * One bound for all request bodies that a process holds at once. A limit for each request is not enough, because anybody can open
 * thousands of requests.
 */
export type BodyLimiter = {
  /**
   * Makes room for a new body. Null: there is none, and the request is refused before its body is read.
   *
   * When the room is used up, a new body takes the place of a sender that is too slow, else of an unfinished body that is larger
   * than itself. So a webhook, which is small and arrives at once, finds room beside thousands of requests that stall.
   */
  admit(body: NewBody): AdmittedBody | null;
};

export type NewBody = {
  /** The announced length; for a body in chunks the part that is reserved first. */
  readonly bytes: number;
  readonly clock: Clock;
  /** Called when the body has lost its place to another one. Its bytes must be dropped. */
  readonly onEvicted: () => void;
};

export type AdmittedBody = {
  /** Records that bytes have arrived. False: the body has outgrown the room that was reserved for it, and there is no more. */
  receive(bytes: number): boolean;
  /** The body has arrived: it keeps its place until `release`. */
  complete(): void;
  /** Gives the room back. Safe to repeat. */
  release(): void;
};

export type BodyLimiterOptions = {
  readonly maxBodies: number;
  readonly maxBytes: number;
};

type Place = {
  readonly body: NewBody;
  /** The room that the body takes up, at least the bytes that have arrived. */
  reserved: number;
  received: number;
  /** The sender is too slow when this moment passes. Each byte that arrives moves it on. */
  slowAt: number;
};

/** The limiter that every handler of a process shares, because they share its memory. */
export const processBodies: BodyLimiter = createBodyLimiter({
  maxBodies: runtimeLimits.maxBodiesInFlight,
  maxBytes: runtimeLimits.maxBufferedBytes,
});

export function createBodyLimiter({ maxBodies, maxBytes }: BodyLimiterOptions): BodyLimiter {
  // In the order of their arrival. Complete bodies keep their room and cannot be evicted.
  const unfinished = new Set<Place>();
  const complete = new Set<Place>();
  let reservedBytes = 0;

  function release(place: Place): void {
    if (unfinished.delete(place) || complete.delete(place)) reservedBytes -= place.reserved;
  }

  function hasRoom(bytes: number, bodies: number): boolean {
    return unfinished.size + complete.size + bodies <= maxBodies && reservedBytes + bytes <= maxBytes;
  }

  /** Evicts other bodies until there is room, and none where that would not be enough. */
  function makeRoom(bytes: number, bodies: number, own?: Place): boolean {
    if (hasRoom(bytes, bodies)) return true;
    const size = (own?.reserved ?? 0) + bytes;
    const victims: Place[] = [];
    let freedBytes = 0;
    for (const place of evictable(size, own)) {
      victims.push(place);
      freedBytes += place.reserved;
      if (hasRoom(bytes - freedBytes, bodies - victims.length)) {
        for (const victim of victims) evict(victim);
        return true;
      }
    }
    return false;
  }

  /** First the slow senders, the slowest one first; then bodies that are larger than `size`, the largest one first. */
  function evictable(size: number, own: Place | undefined): readonly Place[] {
    const others = [...unfinished].filter((place) => place !== own);
    const slow = others.filter(isSlow).sort((left, right) => left.slowAt - right.slowAt);
    const larger = others.filter((place) => !isSlow(place) && place.reserved > size);
    return [...slow, ...larger.sort((left, right) => right.reserved - left.reserved)];
  }

  function evict(place: Place): void {
    release(place);
    place.body.onEvicted();
  }

  return {
    admit(body) {
      if (!makeRoom(body.bytes, 1)) return null;
      const slowAt = body.clock.now() + runtimeLimits.bodyPauseMs;
      const place: Place = { body, reserved: body.bytes, received: 0, slowAt };
      unfinished.add(place);
      reservedBytes += body.bytes;
      return {
        receive(bytes) {
          place.received += bytes;
          const now = body.clock.now();
          // A sender that is faster than the minimal pace saves up time for a pause, but not more than one pause.
          place.slowAt = Math.min(now + runtimeLimits.bodyPauseMs, place.slowAt + bytes / runtimeLimits.bodyBytesPerMs);
          const missing = place.received - place.reserved;
          if (missing <= 0 || !unfinished.has(place)) return true;
          if (!makeRoom(missing, 0, place)) return false;
          place.reserved += missing;
          reservedBytes += missing;
          return true;
        },
        complete() {
          if (unfinished.delete(place)) complete.add(place);
        },
        release: () => release(place),
      };
    },
  };
}

function isSlow({ body, slowAt }: Place): boolean {
  return body.clock.now() > slowAt;
}
