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

/** Ledgers whose every call fails while their name is in `down`. */
function outage(): { readonly down: Set<Name>; readonly wrap: WrapLedger } {
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

async function buy(world: TwoLedgers, order: Order): Promise<void> {
  await world.server.startCheckout(order);
  const { old, new: added } = await world.payments(order);
  await world.pay([...old, ...added].at(-1));
  await until("the order is shipped", () => world.shipments(order) > 0);
  expect(world.shipments(order)).toBe(1);
}

const statusOf = async (url: string) => (await fetch(url, { redirect: "manual" })).status;

describe("an outage of one of two ledgers", () => {
  it("the stores of the old ledger are served while the new one is down, and shoppers of the others are asked to try again", async () => {
    const { down, wrap } = outage();
    const world = await openTwoLedgers({ wrap });
    const older = await world.placeOrder();
    const start = await world.server.startCheckout(older);
    await world.server.moveStore("mover", "new");
    const waiting = await world.placeOrder();
    await world.server.startCheckout(waiting);
    down.add("new");
    await buy(world, await world.placeOrder("stayer"));
    expect(await world.server.startCheckout(older)).toEqual(start);
    const refused = await world.placeOrder();
    await expect(world.server.startCheckout(refused)).rejects.toThrow();
    const link = world.server.payLink(refused);
    const next = (await fetch(link, { redirect: "manual" })).headers.get("location") ?? link;
    expect(await statusOf(next)).toBe(503);
    const ready = await fetch(`${world.url}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ ok: true, ledgers: { old: { ready: true }, new: { ready: false } } });
    // A webhook that the new ledger cannot store is refused, so the service sends it again.
    await world.pay((await world.payments(waiting)).new[0]);
    await until("the webhook was refused", async () =>
      (await world.sandbox.control.listDeliveries()).some((delivery) => JSON.stringify(delivery).includes("503")),
    );
    down.clear();
    await until("the order is shipped", () => world.shipments(waiting) > 0);
    await buy(world, refused);
    expect((await world.payments(refused)).new).toHaveLength(1);
  });

  it("orders that are in the new ledger go on while the old one is down, and no other order of its stores begins", async () => {
    const { down, wrap } = outage();
    const world = await openTwoLedgers({ wrap });
    await world.server.moveStore("mover", "new");
    const begun = await world.placeOrder();
    const start = await world.server.startCheckout(begun);
    down.add("old");
    expect(await world.server.startCheckout(begun)).toEqual(start);
    const fresh = await world.placeOrder();
    await expect(world.server.startCheckout(fresh)).rejects.toThrow("does not answer");
    const page = await fetch(world.server.payLink(fresh), { redirect: "manual" });
    expect(page.status).toBe(503);
    await world.pay((await world.payments(begun)).new[0]);
    await until("the order is shipped", () => world.shipments(begun) > 0);
    down.clear();
    expect(await world.payments(fresh)).toEqual({ old: [], new: [] });
    await buy(world, fresh);
  });

  it("a process that cannot read whether the store has left starts no order of it", async () => {
    const gate = createGate();
    const world = await openTwoLedgers();
    const blind = await world.openProcess((ledger, name) =>
      name === "new"
        ? ledger
        : { ...ledger, records: { ...ledger.records, get: async () => await gate.pass().then(fail) } },
    );
    const order = await world.placeOrder();
    const start = blind.startCheckout(order);
    await gate.arrived;
    await world.server.moveStore("mover", "new");
    gate.open();
    await expect(start).rejects.toThrow("does not answer");
    expect(await world.payments(order)).toEqual({ old: [], new: [] });
  });

  it("a move that the old ledger lost in a restore from a backup is put back by the recovery", async () => {
    const world = await openTwoLedgers();
    await world.server.moveStore("mover", "new");
    const order = await world.placeOrder();
    await world.server.startCheckout(order);
    const { records } = world.ledgers.old;
    await records.remove("", "ledger-departure", "mover", 1);
    expect(await world.server.storeLedgers("mover")).toHaveLength(1);
    for await (const { errorCode } of world.server.recover(Date.now() - 60_000)) expect(errorCode).toBeNull();
    expect(await world.server.storeLedgers("mover")).toHaveLength(2);
    await world.server.startCheckout(order);
    expect(await world.payments(order)).toMatchObject({ old: [], new: [{ state: "open" }] });
  });

  it("a recovery after a restore takes each payment back into its own ledger", async () => {
    const world = await openTwoLedgers();
    const before = await world.placeOrder();
    await buy(world, before);
    await world.server.moveStore("mover", "new");
    const after = await world.placeOrder();
    await buy(world, after);
    const recovered = [];
    for await (const { result } of world.server.recover(Date.now() - 60_000))
      recovered.push(...(result?.recovered ?? []));
    expect(recovered).toEqual([]);
    expect((await world.payments(before)).new).toEqual([]);
    expect((await world.payments(after)).old).toEqual([]);
  });
});

function fail(): never {
  throw new Error("The database does not answer.");
}
