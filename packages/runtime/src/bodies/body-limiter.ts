import type { Clock } from "@tillkit/core";
import { runtimeLimits } from "../limits.ts";

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
