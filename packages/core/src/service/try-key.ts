import type { ServiceClient } from "@tillkit/client";
import { codeOf } from "../domain/checkout-error.ts";
import type { KeyReading } from "../ports/service.ts";

/**
 * Tries an API key with one cheap read (GET /accounts).
 * @throws ServiceError that says nothing about the key
 */
export async function tryKey(client: Pick<ServiceClient, "accounts">, deadlineMs: number): Promise<KeyReading> {
  try {
    for await (const { environment } of client.accounts.list({ deadlineMs }))
      return environment === undefined ? { isAccepted: true } : { isAccepted: true, environment: String(environment) };
    return { isAccepted: true };
  } catch (error) {
    const code = codeOf(error);
    // A key without the right to read accounts is valid: the service knows whose it is.
    if (code === "forbidden") return { isAccepted: true };
    if (KEY_REFUSED_CODES.has(code)) return { isAccepted: false, code };
    throw error;
  }
}

/** The service's errors that are about the key and not about the call. */
export const KEY_REFUSED_CODES: ReadonlySet<string> = new Set(["unauthorized", "api_access_suspended"]);
