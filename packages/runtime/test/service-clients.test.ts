import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createMemoryLedger, type LogFields, silentLog, systemClock } from "@tillkit/core";
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

test("a key that the service refuses is logged as an error that names the credential and what to do, once a minute", async () => {
  const server = createServer((_request, response) => {
    response
      .writeHead(401, { "content-type": "application/json" })
      .end('{"error":{"code":"unauthorized","message":"No."}}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const errors: unknown[] = [];
  const log = {
    ...silentLog,
    error: (message: string, fields?: LogFields) => void errors.push({ message, ...fields }),
  };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createServiceClients({ ledger: createMemoryLedger(), clock: systemClock, log })({
    ...credential,
    baseUrl,
  });
  for (let call = 0; call < 2; call += 1) await client.transactions.read("txn_1").catch(() => undefined);
  server.close();
  expect(errors).toEqual([
    {
      message: "service.key_refused",
      credentialId: "boutique-key",
      stores: "boutique",
      environment: "test",
      requestId: null,
      advice: expect.stringContaining("revoked, replaced or mistyped. Put a valid key in its place"),
    },
  ]);
  expect(JSON.stringify(errors)).not.toContain(credential.apiKey);
});

test("calls to a sandbox on this machine are not counted", async () => {
  expect(await credentialsCounted("http://127.0.0.1:9")).toEqual([]);
});
