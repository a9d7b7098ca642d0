import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServiceClient } from "@tillkit/client";
import { serviceFromClient, systemClock } from "@tillkit/core";
import { createSandbox } from "@tillkit/sandbox";
import { expect, it } from "vitest";

it("a webhook endpoint's settings and its failed and delivered attempts are read from the service", async () => {
  let status = 500;
  const receiver = createServer((_, response) => response.writeHead(status).end());
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks/service/boutique-test`;
  const sandbox = await createSandbox({});
  try {
    const client = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
    const service = serviceFromClient(client, systemClock);
    const read = () => service.readEndpoint?.({ url, maxAttempts: 25, deadlineMs: 5_000 });
    expect(await read()).toBeNull();
    const { data } = await client.webhooks.create({ url, authorized_events: ["PAYMENT_SUCCEEDED"] });
    const send = () => client.webhooks.test(data.id ?? "").catch(() => null);
    await send();
    status = 200;
    await send();
    const reading = await read();
    expect(reading).toMatchObject({ isActive: true, events: ["PAYMENT_SUCCEEDED"] });
    expect(reading?.attempts.map(({ isDelivered, httpStatus }) => [isDelivered, httpStatus])).toEqual([
      [true, 200],
      [false, 500],
    ]);
  } finally {
    await sandbox.close();
    receiver.close();
    receiver.closeAllConnections();
  }
});
