import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectTo, hour } from "../service.ts";
import { openSession, order, paidSession, pay, readSession } from "../steps.ts";

describe("A service that was stopped and started again", () => {
  let directory = "";
  let running: Sandbox | null = null;
  const sandbox = (): Sandbox => {
    if (running === null) throw new Error("The service is not running.");
    return running;
  };
  const service = connectTo(sandbox);
  const start = async () => {
    running = await createSandbox({ data: directory });
  };
  const restart = async () => {
    await sandbox().close();
    await start();
  };
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "black-box-"));
    await start();
  });
  afterAll(async () => {
    await sandbox().close();
    rmSync(directory, { recursive: true });
  });

  it("a restarted sandbox has the same keys, sessions, transactions, settings, clock and idempotency keys", async () => {
    const { sessionId, transactionId } = await paidSession(service, service.call);
    const first = await service.call("POST /checkout-sessions", { body: order, idempotencyKey: "key" });
    await service.control("PATCH /settings", { feeBps: 100 });
    await service.advance(hour / 2);
    const [keys, clock] = [service.keys(), await service.control("GET /clock")];
    await restart();
    expect(service.keys()).toEqual(keys);
    expect((await readSession(service.call, sessionId)).text("transaction_id")).toBe(transactionId);
    const again = await service.call("POST /checkout-sessions", { body: order, idempotencyKey: "key" });
    expect([again.headers.get("Idempotency-Cache-Hit"), again.text("id")]).toEqual(["true", first.text("id")]);
    expect((await service.control("GET /settings")).number("feeBps")).toBe(100);
    expect((await service.control("GET /clock")).number("offsetMs")).toBe(clock.number("offsetMs"));
  });

  it("a restarted sandbox expires a session that became due", async () => {
    const id = (await openSession(service.call)).text("id");
    await pay(service, id, "wave", "pending");
    await restart();
    await service.advance(hour);
    expect((await readSession(service.call, id)).text("status")).toBe("expired");
  });

  it("a second sandbox on the same data is rejected with a sentence", async () => {
    const severalWords = /\w+ .+/;
    await expect(createSandbox({ data: directory })).rejects.toThrow(severalWords);
  });

  it("two sandboxes with the same seed have the same keys and session ids", async () => {
    const keysAndIds = [];
    for (let round = 0; round < 2; round += 1) {
      const seeded = await createSandbox({ seed: "42" });
      const { keys, call } = connectTo(() => seeded);
      keysAndIds.push({ keys: keys(), sessionId: (await openSession(call)).text("id") });
      await seeded.close();
    }
    expect(keysAndIds[1]).toEqual(keysAndIds[0]);
  });
});
