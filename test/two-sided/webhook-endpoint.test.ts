import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServiceClient } from "@tillkit/client";
import { systemClock } from "@tillkit/core";
import { serviceFromClient } from "@tillkit/core/hosts";
import { createSandbox } from "@tillkit/sandbox";
import { expect, it } from "vitest";

it("a webhook endpoint is read and tested through the service, with its failed and delivered attempts", async () => {
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
    expect(await service.testEndpoint?.({ url, deadlineMs: 5_000 })).toBeNull();
    const { data } = await client.webhooks.create({ url, authorized_events: ["PAYMENT_SUCCEEDED"] });
    const send = () => client.webhooks.test(data.id ?? "").catch(() => null);
    await send();
    const test = () => service.testEndpoint?.({ url, deadlineMs: 5_000 });
    expect(await test()).toMatchObject({ isDelivered: false, attempt: { event: "test.webhook", httpStatus: 500 } });
    status = 200;
    expect(await test()).toMatchObject({ isDelivered: true, attempt: { event: "test.webhook", httpStatus: 200 } });
    await send();
    const reading = await read();
    expect(reading).toMatchObject({ isActive: true, events: ["PAYMENT_SUCCEEDED"] });
    expect(reading?.attempts.map(({ isDelivered, httpStatus }) => [isDelivered, httpStatus])).toEqual([
      [true, 200],
      [true, 200],
      [false, 500],
      [false, 500],
    ]);
  } finally {
    await sandbox.close();
    receiver.close();
    receiver.closeAllConnections();
  }
});
