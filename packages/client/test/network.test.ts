import { MEMBER_ACCOUNT_PROBLEMS } from "@tillkit/client";
import { expect, test } from "vitest";
import { responds, startFaultServer } from "./fault-server.ts";
import { testClient } from "./test-client.ts";

const sentences: Readonly<Record<string, string>> = {
  network_secret_key_required: "Network requests require a secret API key",
  network_endpoint_not_supported: "Service-Account is not supported on this endpoint",
};

test.each(MEMBER_ACCOUNT_PROBLEMS)("%s is recognized by its message, whatever its status and code", async (problem) => {
  const message = sentences[problem] ?? problem;
  for (const status of [400, 403, 404]) {
    const service = await startFaultServer(responds(status, { error: { code: "forbidden", message } }));
    const { client } = testClient(service.baseUrl);
    const reading = client.transactions.list({}, { serviceAccount: "acct_0123456789abcdef" });
    await expect(reading).rejects.toMatchObject({ memberAccountProblem: problem, status, retryable: false });
  }
});

test("an error with another message has no memberAccountProblem", async () => {
  const service = await startFaultServer(responds(403, { error: { code: "forbidden", message: "No" } }));
  const { client } = testClient(service.baseUrl);
  await expect(client.transactions.list()).rejects.toMatchObject({ memberAccountProblem: undefined });
});
