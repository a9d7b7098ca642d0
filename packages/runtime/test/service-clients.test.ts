import { silentLog, systemClock } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import { expect, test } from "vitest";
import { createServiceClients } from "../src/service-clients.ts";

const credential = {
  storeIds: ["boutique"],
  apiKey: "svc_sk_test_0123456789abcdefghijklmnopqrstuv",
  endpointId: "boutique-test",
  webhookSecrets: ["whsec_1"],
  id: "boutique-key",
  environment: "test",
} as const;

/** Makes one call; returns the credentials whose calls the ledger was asked to count. */
async function credentialsCounted(baseUrl: string): Promise<readonly string[]> {
  const ledger = createMemoryLedger();
  const counted: string[] = [];
  ledger.spend = async ({ credentialId }) => {
    counted.push(credentialId);
    // The wait is longer than the call's deadline, so that no call leaves this machine.
    return 60_000;
  };
  const createClient = createServiceClients({ ledger, clock: systemClock, log: silentLog });
  await createClient({ ...credential, baseUrl })
    .transactions.read("txn_1", { deadlineMs: 1_000 })
    .catch(() => undefined);
  return counted;
}

test("a key's call is counted in the shared ledger before it is made", async () => {
  expect(await credentialsCounted("https://api.service.example")).toEqual(["boutique-key"]);
});

test("calls to a sandbox on this machine are not counted", async () => {
  expect(await credentialsCounted("http://127.0.0.1:9")).toEqual([]);
});
