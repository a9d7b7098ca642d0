import type { ServiceClient } from "@tillkit/client";
import { bad, type Check } from "./check.ts";

/** Checks whether the service says which transaction paid which session. */
export async function checkTransactions(client: ServiceClient): Promise<Check> {
  const { systemClock } = await import("@tillkit/core");
  const { serviceFromClient } = await import("@tillkit/core/hosts");
  const { examineTransactions } = await import("@tillkit/runtime");
  const service = serviceFromClient(client, systemClock);
  return { check: "transactions", ...(await examineTransactions(service, { account: null, now: systemClock.now() })) };
}

/** What to do about an error of the service that stopped the checks; other errors are thrown on. */
export function refusedKey(error: unknown): Check {
  if (!(error instanceof Error && "code" in error && error.code === "unauthorized")) throw error;
  return bad(
    "key",
    "The service refuses this API key (unauthorized): it was revoked, replaced or mistyped. Create a key in the service's dashboard and put it in the place of the old one, in SERVICE_SECRET_KEY or the profile here, and in the server's configuration under the same credential id.",
  );
}
