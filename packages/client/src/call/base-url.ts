import { addressFault, normalBase } from "../addresses/address-fault.ts";
import { addressRule } from "../addresses/address-texts.ts";
import { ServiceError } from "../errors/service-error.ts";

/**
 * The base URL without a trailing slash and without `/v1`, which `versionPrefix` adds.
 *
 * @throws ServiceError `url_invalid`, `insecure_url`
 */
export function parseBaseUrl(baseUrl: string): string {
  const fault = addressFault(baseUrl, "base");
  if (fault === null) return normalBase(baseUrl).replace(/\/v1$/, "");
  const code = fault.kind === "not_https" ? "insecure_url" : "url_invalid";
  throw new ServiceError(code, `The service's baseUrl ${addressRule(fault)}.`);
}
