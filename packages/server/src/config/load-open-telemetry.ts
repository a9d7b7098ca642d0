import { CheckoutError } from "@tillkit/core";
import type { OpenTelemetry } from "@tillkit/runtime";

/**
 * The copy of `@opentelemetry/api` that is installed beside the program, to which an SDK connects; null when `tracing` is off.
 * @throws CheckoutError `configuration_invalid` when `tracing` is on and the package is not installed
 */
export async function loadOpenTelemetry({ tracing }: { readonly tracing: boolean }): Promise<OpenTelemetry | null> {
  if (!tracing) return null;
  try {
    return await import("@opentelemetry/api");
  } catch (cause) {
    const message = "tracing is on, and @opentelemetry/api is not installed: install it with an SDK of OpenTelemetry.";
    throw new CheckoutError("configuration_invalid", message, { cause });
  }
}
