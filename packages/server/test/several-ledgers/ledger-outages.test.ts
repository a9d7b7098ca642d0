import type { Ledger, Order } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import {
  createGate,
  type Name,
  openTwoLedgers,
  type TwoLedgers,
  until,
  type WrapLedger,
} from "../fixtures/two-ledgers.ts";

/** Wraps ledgers whose every call fails while their name is in `down`. */
function createOutage(): { readonly down: Set<Name>; readonly wrap: WrapLedger } {
  const down = new Set<Name>();
  const failing = <Port extends object>(port: Port, name: Name): Port =>
    Object.fromEntries(
      Object.entries(port).map(([key, value]) => {
        if (key === "records" || key === "secrets") return [key, failing(value, name)];
        if (typeof value !== "function" || key === "close" || key === "onNewJobs") return [key, value];
        return [
          key,
          async (...args: unknown[]) => {
            if (down.has(name)) throw new Error("The database does not answer.");
            return await value(...args);
          },
        ];
      }),
    ) as Port;
  return { down, wrap: (ledger, name) => failing<Ledger>(ledger, name) };
}

async function buy(fixture: TwoLedgers, order: Order): Promise<void> {
  await fixture.server.startCheckout(order);
  const { old, new: added } = await fixture.payments(order);
  await fixture.pay([...old, ...added].at(-1));
  await until("the order is shipped", () => fixture.shipments(order) > 0);
  expect(fixture.shipments(order)).toBe(1);
}

const statusOf = async (url: string) => (await fetch(url, { redirect: "manual" })).status;

describe("an outage of one of two ledgers", () => {
  it("while the new ledger is down, the stores of the old ledger are served and shoppers of the other stores are asked to try again", async () => {
    const { down, wrap } = createOutage();
    const fixture = await openTwoLedgers({ wrap });
    const older = await fixture.placeOrder();
    const start = await fixture.server.startCheckout(older);
    await fixture.server.moveStore("mover", "new");
    const waiting = await fixture.placeOrder();
    await fixture.server.startCheckout(waiting);
    down.add("new");
    await buy(fixture, await fixture.placeOrder("stayer"));
    expect(await fixture.server.startCheckout(older)).toEqual(start);
    const refused = await fixture.placeOrder();
    await expect(fixture.server.startCheckout(refused)).rejects.toThrow();
    const link = fixture.server.payLink(refused);
    const next = (await fetch(link, { redirect: "manual" })).headers.get("location") ?? link;
    expect(await statusOf(next)).toBe(503);
    const ready = await fetch(`${fixture.url}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ ok: true, ledgers: { old: { ready: true }, new: { ready: false } } });
    // A webhook that the new ledger cannot store is refused, so the service sends it again.
    await fixture.pay((await fixture.payments(waiting)).new[0]);
    await until("the webhook was refused", async () =>
      (await fixture.sandbox.control.listDeliveries()).some((delivery) => JSON.stringify(delivery).includes("503")),
    );
    down.clear();
    await until("the order is shipped", () => fixture.shipments(waiting) > 0);
    await buy(fixture, refused);
    expect((await fixture.payments(refused)).new).toHaveLength(1);
  });

  it("while the old ledger is down, orders with a payment in the new ledger go on and no other order of their store begins", async () => {
    const { down, wrap } = createOutage();
    const fixture = await openTwoLedgers({ wrap });
    await fixture.server.moveStore("mover", "new");
    const begun = await fixture.placeOrder();
    const start = await fixture.server.startCheckout(begun);
    down.add("old");
    expect(await fixture.server.startCheckout(begun)).toEqual(start);
    const fresh = await fixture.placeOrder();
    await expect(fixture.server.startCheckout(fresh)).rejects.toThrow("does not answer");
    const page = await fetch(fixture.server.payLink(fresh), { redirect: "manual" });
    expect(page.status).toBe(503);
    await fixture.pay((await fixture.payments(begun)).new[0]);
    await until("the order is shipped", () => fixture.shipments(begun) > 0);
    down.clear();
    expect(await fixture.payments(fresh)).toEqual({ old: [], new: [] });
    await buy(fixture, fresh);
  });

  it("a process that cannot read whether a store has left starts no order of that store", async () => {
    const gate = createGate();
    const fixture = await openTwoLedgers();
    const blind = await fixture.openProcess((ledger, name) =>
      name === "new"
        ? ledger
        : { ...ledger, records: { ...ledger.records, get: async () => await gate.pass().then(fail) } },
    );
    const order = await fixture.placeOrder();
    const start = blind.startCheckout(order);
    await gate.arrived;
    await fixture.server.moveStore("mover", "new");
    gate.open();
    await expect(start).rejects.toThrow("does not answer");
    expect(await fixture.payments(order)).toEqual({ old: [], new: [] });
  });

  it("a move that the old ledger lost in a restore from a backup is put back by the recovery", async () => {
    const fixture = await openTwoLedgers();
    await fixture.server.moveStore("mover", "new");
    const order = await fixture.placeOrder();
    await fixture.server.startCheckout(order);
    const { records } = fixture.ledgers.old;
    await records.remove("", "ledger-departure", "mover", 1);
    expect(await fixture.server.storeLedgers("mover")).toHaveLength(1);
    for await (const { errorCode } of fixture.server.recover(Date.now() - 60_000)) expect(errorCode).toBeNull();
    expect(await fixture.server.storeLedgers("mover")).toHaveLength(2);
    await fixture.server.startCheckout(order);
    expect(await fixture.payments(order)).toMatchObject({ old: [], new: [{ state: "open" }] });
  });

  it("a recovery takes no payment of one ledger into the other ledger", async () => {
    const fixture = await openTwoLedgers();
    const before = await fixture.placeOrder();
    await buy(fixture, before);
    await fixture.server.moveStore("mover", "new");
    const after = await fixture.placeOrder();
    await buy(fixture, after);
    const recovered = [];
    for await (const { result } of fixture.server.recover(Date.now() - 60_000))
      recovered.push(...(result?.recovered ?? []));
    expect(recovered).toEqual([]);
    expect((await fixture.payments(before)).new).toEqual([]);
    expect((await fixture.payments(after)).old).toEqual([]);
  });
});

function fail(): never {
  throw new Error("The database does not answer.");
}
