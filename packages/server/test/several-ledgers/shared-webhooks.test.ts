import { signWebhook } from "@tillkit/client/webhooks";
import { describe, expect, it } from "vitest";
import { openTwoLedgers, type TwoLedgers, until } from "../fixtures/two-ledgers.ts";

const EVENT = JSON.stringify({ id: "evt-1", event: "PAYMENT_FAILED", data: { environment: "test", status: "failed" } });

async function digestsIn({ ledgers }: TwoLedgers, name: "old" | "new", endpointId: string): Promise<readonly string[]> {
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
    const fixture = await openTwoLedgers();
    const answer = await post(fixture.url, "/hooks/service/mover-test", fixture.secrets.mover);
    expect([answer.status, await answer.json()]).toEqual([200, { code: "received", message: "Received." }]);
    expect((await post(fixture.url, "/hooks/service/stayer-test", fixture.secrets.stayer)).status).toBe(200);
    const [digest = ""] = await digestsIn(fixture, "old", "mover-test");
    expect(await digestsIn(fixture, "new", "mover-test")).toEqual([digest]);
    expect(await digestsIn(fixture, "old", "stayer-test")).toEqual([digest]);
    expect(await digestsIn(fixture, "new", "stayer-test")).toEqual([]);
    const stored = await fixture.ledgers.new.delivery("mover-test", digest);
    expect(Buffer.from(stored?.bytes ?? []).toString()).toBe(EVENT);
  });

  it("a webhook that comes again is stored once in each ledger", async () => {
    const fixture = await openTwoLedgers();
    for (const _ of [1, 2, 3]) await post(fixture.url, "/hooks/service/mover-test", fixture.secrets.mover);
    for (const name of ["old", "new"] as const) expect(await digestsIn(fixture, name, "mover-test")).toHaveLength(1);
  });

  it("a forged webhook and a webhook of an unknown endpoint are refused and stored nowhere", async () => {
    const fixture = await openTwoLedgers();
    const statuses = [];
    for (const endpoint of ["mover-test", "stayer-test"])
      statuses.push((await post(fixture.url, `/hooks/service/${endpoint}`, "whsec_of_somebody_else")).status);
    statuses.push((await post(fixture.url, "/hooks/service/nobody", fixture.secrets.mover)).status);
    statuses.push((await fetch(`${fixture.url}/hooks/service/mover-test`)).status);
    expect(statuses).toEqual([401, 401, 404, 405]);
    for (const name of ["old", "new"] as const)
      expect(await fixture.ledgers[name].listDeliveries({ limit: 5 })).toMatchObject({ rows: [] });
  });

  it("a host with fetch-standard requests has the same routes", async () => {
    const fixture = await openTwoLedgers();
    const headers = { "x-service-signature": signWebhook(Buffer.from(EVENT), fixture.secrets.mover) };
    const hook = new Request(`${fixture.url}/hooks/service/mover-test`, request(EVENT, headers));
    expect((await fixture.server.fetch(hook)).status).toBe(200);
    await until("both ledgers have it", async () => (await digestsIn(fixture, "new", "mover-test")).length === 1);
    for (const path of ["/operators", "/ledgers/new/operators", "/livez", "/ledgers/new/readyz"])
      expect([path, (await fixture.server.fetch(new Request(`${fixture.url}${path}`))).status]).toEqual([
        path,
        path.endsWith("operators") ? 303 : 200,
      ]);
  });
});
