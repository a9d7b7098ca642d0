import { createServiceClient, type ServiceClientOptions } from "@tillkit/client";
import { createSkippingClock } from "./skipping-clock.ts";

export const TEST_KEY = "svc_sk_test_0123456789abcdefghijABCDEFGHIJ42";

/** A client of a fault server with a clock that skips waits and without jitter. */
export function testClient(baseUrl: string, options: Partial<ServiceClientOptions> = {}) {
  const clock = createSkippingClock();
  const client = createServiceClient({
    apiKey: TEST_KEY,
    baseUrl,
    clock,
    random: { fraction: () => 0 },
    ...options,
  });
  return { client, clock };
}
