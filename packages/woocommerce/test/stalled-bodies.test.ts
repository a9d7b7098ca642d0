import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { openServerFixture } from "./server-fixture.ts";

/** Announces a body and sends one byte of it. */
async function stall(url: string, path: string, bytes: number): Promise<{ socket: Socket; answer(): string }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let answer = "";
  socket
    .on("error", () => undefined)
    .on("data", (chunk) => {
      answer += chunk;
    });
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\nx`);
  return { socket, answer: () => answer };
}

test("a call of the plugin is answered beside senders of unsigned shop webhooks, which are refused beyond 32 MB in all", async () => {
  const fixture = await openServerFixture();
  const stalled = await Promise.all(
    Array.from({ length: 40 }, () => stall(fixture.url, "/hooks/woo/boutique", 1024 * 1024)),
  );
  const refused = () => stalled.filter(({ answer }) => /^HTTP\/1\.1 503 [\s\S]*Retry-After: 1/.test(answer()));
  await expect.poll(() => refused().length).toBeGreaterThanOrEqual(8);
  expect((await fixture.call("health", {})).status).toBe(200);
});

test.each([
  ["/bridge/v1/status", 64 * 1024],
  ["/bridge/v1/refund", 64 * 1024],
])("unsigned calls to %s are refused beyond the bodies that the process reads at once", async (path, bytes) => {
  const fixture = await openServerFixture();
  const stalled = await Promise.all(Array.from({ length: 600 }, () => stall(fixture.url, path, bytes)));
  const refused = () => stalled.filter(({ answer }) => answer().startsWith("HTTP/1.1 503"));
  await waitFor(() => expect(refused().length).toBeGreaterThanOrEqual(80));
  expect((await fixture.call("health", {})).status).toBe(200);
});
