import { ServiceError } from "../errors/service-error.ts";

/** Collects the chunks of a body up to a limit. */
export function createBodyCollector(maxBytes: number) {
  const chunks: Uint8Array[] = [];
  let length = 0;
  return {
    /** @throws ServiceError `response_too_large` */
    add(chunk: Uint8Array): void {
      length += chunk.byteLength;
      if (length > maxBytes)
        throw new ServiceError("response_too_large", `The service's response is larger than ${maxBytes} bytes.`);
      chunks.push(chunk);
    },
    bytes(): Uint8Array {
      const [only] = chunks;
      if (only !== undefined && chunks.length === 1) return only;
      const whole = new Uint8Array(length);
      let offset = 0;
      for (const chunk of chunks) {
        whole.set(chunk, offset);
        offset += chunk.byteLength;
      }
      return whole;
    },
  };
}
