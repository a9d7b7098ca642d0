import { systemClock } from "@tillkit/core";
import type { JobKind } from "@tillkit/core/ledger";
import { createMemoryLedger } from "@tillkit/core/memory";
import { describe, expect, it } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { mortalLedger } from "./mortal-ledger.ts";
import { type Fixture, logIn, type Owner, openServer, stores, webhookUrls } from "./self-service-fixture.ts";

const HOUR = 3_600_000;

const storeIdOf = (owner: Owner) => owner.link()?.storeId ?? "";
const attemptsOf = async ({ ledger }: Fixture) => await ledger.records.list({ kind: "store-attempt", limit: 9 });

describe("a newer process that takes the place of an older one", () => {
  it.each(["credentials.put", "records.put registered-store", "records.remove store-attempt"])(
    "a connection that an older process began and left before %s is finished by the newer one",
    async (write) => {
      const { ledger, killBefore, revive } = mortalLedger();
      const fixture = await openServer({}, { ledger });
      const owner = await fixture.openShop();
      killBefore(write);
      await owner.connect();
      await fixture.startAnother();
      revive();
      expect(await attemptsOf(fixture)).toHaveLength(1);
      expect((await owner.connect()).status).toBe(303);
      expect(await attemptsOf(fixture)).toEqual([]);
      expect(await stores(fixture)).toMatchObject([{ storeId: storeIdOf(owner), state: "connected" }]);
      expect(await webhookUrls(fixture)).toEqual([`${fixture.url}/hooks/service/${storeIdOf(owner)}-test`]);
      expect((await owner.pay()).status).toBe(303);
    },
  );

  it("an attempt whose row lacks what newer versions write is ended with what it stored, when nobody comes back", async () => {
    let later = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + later };
    const { ledger, killBefore, revive } = mortalLedger();
    const fixture = await openServer({}, { ledger, clock });
    const owner = await fixture.openShop();
    killBefore("records.put registered-store");
    await owner.connect();
    revive();
    for (const { key, value, version } of await attemptsOf(fixture)) {
      const { isRegistering: _, ...older } = value as { readonly isRegistering: boolean };
      await ledger.records.put("", "store-attempt", key, older, version);
    }
    await fixture.startAnother();
    await waitFor(async () => {
      later += HOUR / 12;
      expect(await attemptsOf(fixture)).toEqual([]);
    });
    expect(await ledger.credentials.list()).toEqual([]);
    expect(await webhookUrls(fixture)).toEqual([]);
  });
});

describe("an older process beside a newer one", () => {
  it("a state and a field of a shop that only newer versions know stay; the older process takes no payment for it", async () => {
    const fixture = await openServer();
    const owner = await fixture.openShop();
    await owner.connect();
    const [row] = await fixture.ledger.records.list({ kind: "registered-store", limit: 1 });
    const newer = { ...(row?.value as object), state: "resting", plan: "of a newer version" };
    await fixture.ledger.records.put("", "registered-store", storeIdOf(owner), newer, row?.version ?? 0);
    await waitFor(async () => expect((await owner.pay()).status).toBe(503));
    expect(await (await logIn(fixture))("/shops/invite")).toContain("resting");
    await owner.connect();
    expect(await stores(fixture)).toMatchObject([{ state: "resting", plan: "of a newer version" }]);
  });

  it("a job and rows of kinds that only newer versions know stay as they were while a payment is taken and a shop leaves", async () => {
    const ledger = createMemoryLedger();
    const kind = "kind-of-a-newer-version" as JobKind;
    const job = { kind, paymentId: "p1", storeId: "hats", payload: "new", dueAt: Date.now() - HOUR } as const;
    await ledger.commit({ jobs: [job], timeline: [] });
    await ledger.records.put("", "store-plan", "any", { of: "a newer version" }, "new");
    const fixture = await openServer({}, { ledger });
    const owner = await fixture.openShop();
    await owner.connect();
    await owner.pay();
    const [payment] = (await ledger.listPayments({ storeId: storeIdOf(owner), limit: 1 })).rows;
    const session = payment?.session?.id ?? "";
    await fixture.sandbox.control.paySession(session, { method: "card", outcome: "completed" });
    await waitFor(async () => expect((await ledger.find({ id: payment?.id ?? "" }))?.state).toBe("recorded"));
    expect((await owner.call("disconnect", {})).body.state).toBe("left");
    const { rows } = await ledger.listJobs({ limit: 9 });
    expect(rows.filter((found) => found.kind === kind)).toMatchObject([{ ...job, attempts: 0, error: null }]);
    expect(await ledger.records.get("", "store-plan", "any")).toMatchObject({ version: 1 });
  });
});
