import { ServiceError } from "../errors/service-error.ts";

/**
 * The environment that a secret key belongs to. The host does not matter.
 *
 * @throws ServiceError `key_invalid`
 */
export function environmentOfKey(apiKey: string): "test" | "live" {
  const parts = /^svc_(sk|pk)_(test|live)_[\x21-\x7e]+$/.exec(apiKey);
  if (parts === null)
    throw new ServiceError("key_invalid", "The API key must be a secret key: svc_sk_test_… or svc_sk_live_….");
  if (parts[1] === "pk")
    throw new ServiceError("key_invalid", "This is a publishable key; the server needs the secret key, svc_sk_….");
  return parts[2] === "live" ? "live" : "test";
}
