import type { Log, LogFields } from "@tillkit/core";

/** The part of Medusa's logger that the plugin uses. */
export type MedusaLogger = {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
};

/** Writes the engine's log events to Medusa's log as lines such as `tillkit order.paid {"paymentId":"…"}`. */
export function createMedusaLog(logger: () => MedusaLogger): Log {
  const line = (message: string, fields: LogFields = {}) => `tillkit ${message} ${JSON.stringify(fields)}`;
  return {
    info: (message, fields) => logger().info(line(message, fields)),
    warn: (message, fields) => logger().warn(line(message, fields)),
    error: (message, fields) => logger().error(line(message, fields)),
  };
}
