import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { openAppFixture } from "./app-fixture.ts";

test.each([
  ["/shopify/webhooks", 2 * 1024 * 1024, 30],
  ["/shopify/payment", 64 * 1024, 600],
])("unsigned bodies at %s are refused beyond 32 MB in all, and the app still answers", async (path, bytes, senders) => {
  const fixture = await openAppFixture();
  onTestFinished(() => fixture.close());
  const { hostname, port } = new URL(fixture.url);
  let refused = 0;
  for (let sender = 0; sender < senders; sender += 1) {
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket
      .on("error", () => undefined)
      .once("data", (chunk) => {
        if (/^HTTP\/1\.1 503 [\s\S]*Retry-After: 1/.test(chunk.toString())) refused += 1;
      });
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\nx`);
  }
  await waitFor(() => expect(refused).toBeGreaterThanOrEqual(senders - (32 * 1024 * 1024) / bytes));
  const answer = await fetch(`${fixture.url}/shopify/webhooks`, { method: "POST", body: "{}" });
  expect(answer.status).toBe(401);
});
