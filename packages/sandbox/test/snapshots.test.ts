import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSandbox } from "../src/index.ts";
import { api, closeAfterTest, control, newSession, openSandbox } from "./open-sandbox.ts";
import { balance, mobileCharge, moveMoney, NET_OF_MOBILE_CHARGE, payNewSession } from "./payments.ts";

describe("snapshots", () => {
  it("a snapshot restores data, settings, faults and clock on every load", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    await sandbox.control.addFault({ method: "GET", path: "/providers", status: 503 });
    const saved = await control(sandbox, "POST /snapshots", { name: "one-open-session" });
    expect([saved.status, saved.json.name]).toEqual([201, "one-open-session"]);
    for (let round = 0; round < 2; round++) {
      await sandbox.control.clearFaults();
      await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
      await sandbox.control.changeSettings({ feeBps: 0, refunds: "pending" });
      await sandbox.control.advanceClock(86_400_000);
      await sandbox.control.createOrganization("Later");
      expect((await control(sandbox, "POST /snapshots/one-open-session/load")).status).toBe(200);
      expect((await api(sandbox, `GET /checkout-sessions/${session.id}`)).json).toEqual(session);
      expect(await balance(sandbox)).toBe(0);
      expect((await api(sandbox, "GET /transactions")).json.total_count).toBe(0);
      expect(sandbox.control.readSettings()).toMatchObject({ feeBps: 250, refunds: "instant" });
      expect(sandbox.control.readClock().offsetMs).toBe(0);
      expect(await sandbox.control.listOrganizations()).toHaveLength(1);
      expect(sandbox.control.listFaults()).toHaveLength(1);
    }
  });

  it("work that becomes due after a snapshot was loaded runs", async () => {
    const sandbox = await openSandbox();
    const { id } = await newSession(sandbox);
    const sessionLifetimeMs = 3_600_000;
    await sandbox.control.saveSnapshot("open");
    await sandbox.control.advanceClock(sessionLifetimeMs);
    await sandbox.control.loadSnapshot("open");
    await sandbox.control.advanceClock(sessionLifetimeMs);
    expect((await api(sandbox, `GET /checkout-sessions/${id}`)).json.status).toBe("expired");
  });

  it("a snapshot replaces the earlier snapshot of its name and restores Idempotency-Keys", async () => {
    const sandbox = await openSandbox();
    await sandbox.control.saveSnapshot("s");
    const headers = { "Idempotency-Key": "charge" };
    await moveMoney(sandbox, "/charge/wave", mobileCharge, { headers });
    await sandbox.control.saveSnapshot("s");
    await payNewSession(sandbox);
    await sandbox.control.loadSnapshot("s");
    expect(await balance(sandbox)).toBe(NET_OF_MOBILE_CHARGE);
    const again = await moveMoney(sandbox, "/charge/wave", mobileCharge, { headers });
    expect(again.headers.get("idempotency-cache-hit")).toBe("true");
  });

  it("snapshots survive a reset and a restart", async () => {
    const directory = await mkdtemp(join(tmpdir(), "sandbox-"));
    closeAfterTest(() => rm(directory, { recursive: true, force: true }));
    const first = await createSandbox({ data: directory });
    await moveMoney(first, "/charge/wave", mobileCharge);
    await first.control.saveSnapshot("paid");
    await first.control.reset();
    expect(await balance(first)).toBe(0);
    await first.close();
    const second = await openSandbox({ data: directory });
    await second.control.loadSnapshot("paid");
    expect(await balance(second)).toBe(NET_OF_MOBILE_CHARGE);
  });

  it("a snapshot needs a valid name, and at most twenty snapshots are kept", async () => {
    const sandbox = await openSandbox();
    for (const name of [undefined, "", "a b", "x".repeat(65), '"; drop table sessions; --']) {
      expect((await control(sandbox, "POST /snapshots", { name })).status).toBe(400);
    }
    await sandbox.control.saveSnapshot("mine");
    const { status, json } = await control(sandbox, "POST /snapshots/yours/load");
    expect([status, json.error.message]).toEqual([404, 'There is no snapshot "yours"; saved are: mine.']);
    for (let count = 0; count < 19; count++) await sandbox.control.saveSnapshot(`s${count}`);
    expect((await control(sandbox, "POST /snapshots", { name: "one-more" })).status).toBe(400);
    expect((await control(sandbox, "POST /snapshots", { name: "mine" })).status).toBe(201);
  });
});
