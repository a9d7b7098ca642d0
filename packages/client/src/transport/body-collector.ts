import { ServiceError } from "../errors/service-error.ts";

/** Gathers the pieces of a body up to a limit; characters split over two pieces come out whole. */
export function createBodyCollector(maxBytes: number) {
  const pieces: Uint8Array[] = [];
  let length = 0;
  return {
    /** @throws ServiceError `response_too_large` */
    add(piece: Uint8Array): void {
      length += piece.byteLength;
      if (length > maxBytes)
        throw new ServiceError("response_too_large", `The service's answer is larger than ${maxBytes} bytes.`);
      pieces.push(piece);
    },
    bytes(): Uint8Array {
      const whole = new Uint8Array(length);
      let at = 0;
      for (const piece of pieces) {
        whole.set(piece, at);
        at += piece.byteLength;
      }
      return whole;
    },
  };
}
