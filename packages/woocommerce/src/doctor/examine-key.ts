import { codeOf, safeReason } from "@tillkit/core";
import type { CheckResult } from "@tillkit/php-bridge";
import type { WooRest } from "../transport/woo-rest.ts";

/** An order id that no shop has. A write to it shows whether the key has write permission and changes nothing. */
const MISSING_ORDER_ID = "900000000000000";

/** Checks that the REST key has the permissions it needs and no others. */
export async function examineKey(
  rest: Pick<WooRest, "get" | "put">,
  { isSigned = false } = {},
): Promise<readonly CheckResult[]> {
  const readFailure = await callFailure(() => rest.get("orders", { per_page: 1, _fields: "id" }));
  if (readFailure !== null)
    return [keyError(`Orders cannot be read. ${readFailure.message}${readFailure.isKeyRefused ? USUAL_CAUSES : ""}`)];
  const writeFailure = await callFailure(() => rest.put(`orders/${MISSING_ORDER_ID}`, {}));
  if (writeFailure?.isKeyRefused)
    return [keyError("The key can read but not write: create one with the permission Read/Write.")];
  if (writeFailure !== null) return [keyError(`Orders cannot be written. ${writeFailure.message}`)];
  if (isSigned)
    return [
      { check: "rest-key", status: "ok", message: "The shop has no REST key: the plugin allows calls about orders." },
    ];
  const hasFullAccess = (await callFailure(() => rest.get("customers", { per_page: 1, _fields: "id" }))) === null;
  if (!hasFullAccess)
    return [{ check: "rest-key", status: "ok", message: "The key can read and write orders, and nothing else." }];
  const text =
    "The key has access to the whole shop, including its customers: create one for a user who can only manage orders (README, least privilege).";
  return [{ check: "rest-key", status: "warning", message: text }];
}

/** The usual causes of a rejected key. */
const USUAL_CAUSES =
  " Either the key is wrong, its user cannot see orders, the server drops the Authorization header, or WordPress does not detect https.";

type CallFailure = { readonly message: string; readonly isKeyRefused: boolean };

/** Null if the shop accepted the key, whatever the response was. */
async function callFailure(call: () => Promise<unknown>): Promise<CallFailure | null> {
  try {
    await call();
    return null;
  } catch (error) {
    return { message: safeReason(error), isKeyRefused: codeOf(error) === "reconnect" };
  }
}

function keyError(text: string): CheckResult {
  return { check: "rest-key", status: "error", message: text };
}
