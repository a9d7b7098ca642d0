import { lookup } from "node:dns/promises";
import { isPrivateAddress, isPrivateHost } from "@tillkit/client";
import { ApiError, validationFailed } from "../domain/api-error.ts";
import type { Service } from "../runtime/service.ts";

/**
 * Checks the URL of a webhook endpoint when it is created or changed. Undefined means that an update keeps the URL.
 * @throws ApiError `validation_failed` when the URL has a user or a password: deliveries carry no `Authorization`;
 *   `bad_request` when `allowLoopbackWebhooks` is off and the URL leads into a private network
 */
export async function assertDeliveryUrl({ settings }: Service, url: string | undefined): Promise<void> {
  if (url === undefined) return;
  const { username, password } = new URL(url);
  if (username !== "" || password !== "") {
    throw validationFailed({
      url: ["must not have a user or password: deliveries are authenticated by their signature"],
    });
  }
  if (settings.allowLoopbackWebhooks) return;
  if (await resolvesToPrivateAddress(url)) {
    throw new ApiError("bad_request", "The webhook url leads into a private or loopback network");
  }
}

/** The target of a delivery. A user and password in the URL of an older endpoint are not sent as `Authorization`. */
export function deliveryTarget(url: string): URL {
  const target = new URL(url);
  target.username = "";
  target.password = "";
  return target;
}

/** Whether the host of a URL is private or resolves to a private address. A name that cannot be resolved counts as public. */
export async function resolvesToPrivateAddress(url: string): Promise<boolean> {
  const target = new URL(url);
  if (isPrivateHost(target)) return true;
  const host = target.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => isPrivateAddress(address));
}
