import { createServiceClient, type ServiceClientOptions } from "@tillkit/client";
import { createHurriedClock } from "./hurried-clock.ts";

export const TEST_KEY = "svc_sk_test_0123456789abcdefghijABCDEFGHIJ42";

/** A client that talks to a fault server, with time and chance in the test's hands. */
export function testClient(baseUrl: string, options: Partial<ServiceClientOptions> = {}) {
  const clock = createHurriedClock();
  const client = createServiceClient({
    apiKey: TEST_KEY,
    baseUrl,
    clock,
    random: { fraction: () => 0 },
    ...options,
  });
  return { client, clock };
}
