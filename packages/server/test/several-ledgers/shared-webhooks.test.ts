import { signWebhook } from "@tillkit/client/webhooks";
import { describe, expect, it } from "vitest";
import { openTwoLedgers, type TwoLedgers, until } from "../fixtures/two-ledgers.ts";

const EVENT = JSON.stringify({ id: "evt-1", event: "PAYMENT_FAILED", data: { environment: "test", status: "failed" } });

async function digests({ ledgers }: TwoLedgers, name: "old" | "new", endpointId: string): Promise<readonly string[]> {
  const { rows } = await ledgers[name].listDeliveries({ limit: 50 });
  return rows.filter((row) => row.endpointId === endpointId).map(({ digest }) => digest);
}

const request = (body: string, headers: Record<string, string>) => ({
  method: "POST",
  body,
  headers: { "content-type": "application/json", ...headers },
});

const post = (url: string, path: string, secret: string, body = EVENT) =>
  fetch(`${url}${path}`, request(body, { "x-service-signature": signWebhook(Buffer.from(body), secret) }));

describe("webhooks at the address of two ledgers", () => {
  it("a webhook is stored with its raw bytes in each ledger that knows its endpoint, and only there", async () => {
    const world = await openTwoLedgers();
    const answer = await post(world.url, "/hooks/service/mover-test", world.secrets.mover);
    expect([answer.status, await answer.json()]).toEqual([200, { code: "received", message: "Received." }]);
    expect((await post(world.url, "/hooks/service/stayer-test", world.secrets.stayer)).status).toBe(200);
    const [digest = ""] = await digests(world, "old", "mover-test");
    expect(await digests(world, "new", "mover-test")).toEqual([digest]);
    expect(await digests(world, "old", "stayer-test")).toEqual([digest]);
    expect(await digests(world, "new", "stayer-test")).toEqual([]);
    const stored = await world.ledgers.new.delivery("mover-test", digest);
    expect(Buffer.from(stored?.bytes ?? []).toString()).toBe(EVENT);
  });

  it("a webhook that comes again is stored once in each ledger", async () => {
    const world = await openTwoLedgers();
    for (const _ of [1, 2, 3]) await post(world.url, "/hooks/service/mover-test", world.secrets.mover);
    for (const name of ["old", "new"] as const) expect(await digests(world, name, "mover-test")).toHaveLength(1);
  });

  it("a forged webhook and one of an unknown endpoint are refused and stored nowhere", async () => {
    const world = await openTwoLedgers();
    const statuses = [];
    for (const endpoint of ["mover-test", "stayer-test"])
      statuses.push((await post(world.url, `/hooks/service/${endpoint}`, "whsec_of_somebody_else")).status);
    statuses.push((await post(world.url, "/hooks/service/nobody", world.secrets.mover)).status);
    statuses.push((await fetch(`${world.url}/hooks/service/mover-test`)).status);
    expect(statuses).toEqual([401, 401, 404, 405]);
    for (const name of ["old", "new"] as const)
      expect(await world.ledgers[name].listDeliveries({ limit: 5 })).toMatchObject({ rows: [] });
  });

  it("a host with fetch-standard requests has the same routes", async () => {
    const world = await openTwoLedgers();
    const headers = { "x-service-signature": signWebhook(Buffer.from(EVENT), world.secrets.mover) };
    const hook = new Request(`${world.url}/hooks/service/mover-test`, request(EVENT, headers));
    expect((await world.server.fetch(hook)).status).toBe(200);
    await until("both ledgers have it", async () => (await digests(world, "new", "mover-test")).length === 1);
    for (const path of ["/operators", "/ledgers/new/operators", "/livez", "/ledgers/new/readyz"])
      expect([path, (await world.server.fetch(new Request(`${world.url}${path}`))).status]).toEqual([
        path,
        path.endsWith("operators") ? 303 : 200,
      ]);
  });
});
