import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { silentLog } from "@tillkit/core";
import { createManualClock } from "@tillkit/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { createWebhookHandler } from "../src/index.ts";

/** How long the service waits for the answer to a webhook. */
const SERVICE_WAITS_MS = 4_000;
const ON_THE_WAY_MS = 400;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

describe("the answer to a webhook whose storage waits for a frozen process", () => {
  it("is a 503 while the service still waits, so that it delivers the webhook again", async () => {
    const receiver = await openReceiver();
    const answers: unknown[] = [];
    void receiver.deliver("genuine").then((answer) => answers.push(answer));
    await expect.poll(() => receiver.received).toEqual(["genuine"]);
    await receiver.clock.advance(SERVICE_WAITS_MS - ON_THE_WAY_MS);
    await expect.poll(() => answers).toEqual([{ status: 503, code: "storage_slow", retryAfter: "1" }]);
  });

  it("is counted from the first byte, also when the body comes late", async () => {
    const receiver = await openReceiver();
    const sending = receiver.begin("genuine");
    await expect.poll(receiver.started).toBe(1);
    await receiver.clock.advance(3_000);
    sending.finish();
    await expect.poll(() => receiver.received).toEqual(["genuine"]);
    await receiver.clock.advance(SERVICE_WAITS_MS - ON_THE_WAY_MS - 3_000);
    expect(await sending.answer).toMatchObject({ status: 503, code: "storage_slow" });
  });

  it("is the stored delivery's own when it is stored in time, and its job is looked for once however late it is stored", async () => {
    const receiver = await openReceiver();
    const inTime = receiver.deliver("in time");
    await expect.poll(() => receiver.received).toEqual(["in time"]);
    await receiver.clock.advance(3_000);
    expect(receiver.accepted()).toBe(0);
    receiver.store();
    expect(await inTime).toMatchObject({ status: 200 });
    await expect.poll(receiver.accepted).toBe(1);
    const late = receiver.deliver("late");
    await expect.poll(() => receiver.received).toEqual(["in time", "late"]);
    await receiver.clock.advance(SERVICE_WAITS_MS);
    expect(await late).toMatchObject({ status: 503 });
    expect(receiver.accepted()).toBe(1);
    receiver.store();
    await expect.poll(receiver.accepted).toBe(2);
  });
});

async function openReceiver() {
  const clock = createManualClock();
  const received: string[] = [];
  let started = 0;
  let accepted = 0;
  let store: () => void = () => undefined;
  const handleWebhook = createWebhookHandler({
    async receive({ bytes }) {
      received.push(Buffer.from(bytes).toString());
      await new Promise<void>((resolve) => {
        store = resolve;
      });
      return { status: 200, code: "received", message: "" };
    },
    onAccepted() {
      accepted += 1;
    },
    bodyParserAdvice: "",
    clock,
    log: silentLog,
  });
  const server = createServer((incoming, response) => {
    started += 1;
    void handleWebhook(incoming, response, "endpoint");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });

  /** Sends the headers and one byte of a delivery. */
  function begin(body: string) {
    const { port } = server.address() as AddressInfo;
    const headers = { "X-Service-Signature": "0".repeat(64), "Content-Length": body.length };
    const sent = request({ port, host: "127.0.0.1", method: "POST", headers, agent: false });
    sent.write(body.slice(0, 1));
    const answer = new Promise<{ status: number | undefined; code: string; retryAfter: string | undefined }>(
      (resolve, reject) => {
        sent.on("error", reject).on("response", (response) => {
          let text = "";
          response.on("data", (chunk) => {
            text += chunk;
          });
          response.on("end", () => {
            const { statusCode: status, headers } = response;
            resolve({ status, code: JSON.parse(text).code, retryAfter: headers["retry-after"] });
          });
        });
      },
    );
    return { answer, finish: () => sent.end(body.slice(1)) };
  }

  return {
    clock,
    received,
    started: () => started,
    accepted: () => accepted,
    store: () => store(),
    begin,
    deliver(body: string) {
      const { answer, finish } = begin(body);
      finish();
      return answer;
    },
  };
}
