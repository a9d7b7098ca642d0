import type { Log, LogFields } from "@tillkit/core";
import { Logger } from "@vendure/core";

/** Writes the engine's log events to Vendure's log as lines such as `order.paid {"paymentId":"…"}` in the context `Tillkit`. */
export function createVendureLog(): Log {
  const line = (message: string, fields: LogFields = {}) => `${message} ${JSON.stringify(fields)}`;
  return {
    info: (message, fields) => Logger.info(line(message, fields), "Tillkit"),
    warn: (message, fields) => Logger.warn(line(message, fields), "Tillkit"),
    error: (message, fields) => Logger.error(line(message, fields), "Tillkit"),
  };
}
