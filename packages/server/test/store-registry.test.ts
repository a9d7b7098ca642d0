import type { Records } from "@tillkit/core/ledger";
import { createMemoryLedger } from "@tillkit/core/memory";
import { createManualClock } from "@tillkit/testkit";
import { describe, expect, test } from "vitest";
import { createInvitations, createStoreRegistry, type RegisteredStore } from "../src/index.ts";

const STORE: RegisteredStore = {
  storeId: "boutique-1",
  address: "https://boutique.example",
  name: "Chez Awa",
  currencies: ["XOF"],
  language: "fr",
  pluginVersion: "0.1.0",
  state: "connected",
  stateSince: 0,
  connectedAt: 0,
  linkedAt: 0,
};

function openRegistry(records: Records = createMemoryLedger().records) {
  const clock = createManualClock();
  return { records, clock, registry: createStoreRegistry(records, clock) };
}

describe("the address of a connected shop", () => {
  test("a second store does not get an address that a connected store holds, however it is written", async () => {
    const { registry } = openRegistry();
    expect(await registry.put(STORE, null)).toBe("done");
    for (const address of [
      "https://boutique.example",
      "http://boutique.example/",
      "https://www.boutique.example",
      "https://boutique.example.",
      "https://boutique.example/index.php",
      "https://boutique.example//",
    ])
      expect(await registry.put({ ...STORE, storeId: "thief", address }, null), address).toBe("taken");
    expect(await registry.find("thief")).toBeNull();
    expect((await registry.findByAddress("https://boutique.example"))?.storeId).toBe("boutique-1");
    expect(await registry.put({ ...STORE, storeId: "blog", address: "https://boutique.example/blog" }, null)).toBe(
      "done",
    );
  });

  test("a folder of a shop is one address, however it is escaped", async () => {
    const { registry } = openRegistry();
    await registry.put({ ...STORE, address: "https://boutique.example/shop-1" }, null);
    for (const path of ["/%73hop-1", "/shop%2D1/", "//shop-1", "/shop-1/index.php"]) {
      const address = `https://boutique.example${path}`;
      expect(await registry.put({ ...STORE, storeId: "again", address }, null), path).toBe("taken");
    }
    expect(await registry.put({ ...STORE, storeId: "other", address: "https://boutique.example/SHOP-1" }, null)).toBe(
      "done",
    );
  });

  test("a store that an operator changed since it was read is not replaced", async () => {
    const { registry } = openRegistry();
    await registry.put(STORE, null);
    await registry.change(STORE.storeId, ["connected"], "suspended");
    expect(await registry.put({ ...STORE, name: "Chez Bineta" }, STORE)).toBe("changed");
    expect(await registry.put({ ...STORE, name: "Chez Bineta" }, null)).toBe("changed");
    expect(await registry.find(STORE.storeId)).toMatchObject({ state: "suspended", name: "Chez Awa" });
  });

  test("a store that moves releases its former address, and one that leaves releases its last", async () => {
    const { registry } = openRegistry();
    await registry.put(STORE, null);
    expect(await registry.put({ ...STORE, address: "https://new.example" }, STORE)).toBe("done");
    expect(await registry.put({ ...STORE, storeId: "other" }, null)).toBe("done");
    expect(await registry.put({ ...STORE, storeId: "third", address: "https://new.example" }, null)).toBe("taken");
    await registry.change("boutique-1", ["connected"], "left");
    expect(await registry.put({ ...STORE, storeId: "third", address: "https://new.example" }, null)).toBe("done");
    expect(await registry.ids()).toEqual(["other", "third"]);
  });

  test("an address whose process ended before it wrote the store is free", async () => {
    const { registry, records } = openRegistry();
    const dies: Records = {
      ...records,
      put: async (...row) => (row[1] === "registered-store" ? die() : records.put(...row)),
    };
    await expect(createStoreRegistry(dies, createManualClock()).put(STORE, null)).rejects.toThrow("killed");
    expect(await registry.put({ ...STORE, storeId: "boutique-2" }, null)).toBe("done");
  });

  test("of two stores that take a free address at the same time, at most one holds it and the other is not there", async () => {
    // The second store runs as a whole between any two steps of the first one.
    for (let step = 0; step < 12; step += 1) {
      const { records, registry, clock } = openRegistry();
      await dieAfterAddress(records);
      let steps = 0;
      const interrupt = async () => {
        if (steps++ === step) await registry.put({ ...STORE, storeId: "second" }, null);
      };
      const interrupted: Records = {
        ...records,
        get: async (...row) => (await interrupt(), await records.get(...row)),
        put: async (...row) => (await interrupt(), await records.put(...row)),
      };
      const first = await createStoreRegistry(interrupted, clock).put({ ...STORE, storeId: "first" }, null);
      const ids = await registry.ids();
      const holder = await registry.findByAddress(STORE.address);
      expect(ids, `step ${step}`).toEqual(holder === null ? [] : [holder.storeId]);
      expect(first === "done", `step ${step}`).toBe(holder?.storeId === "first");
    }
  });
});

/** Leaves the address to a store that was never written, as a process that was killed does. */
async function dieAfterAddress(records: Records): Promise<void> {
  const dies: Records = {
    ...records,
    put: async (...row) => (row[1] === "registered-store" ? die() : records.put(...row)),
  };
  await createStoreRegistry(dies, createManualClock())
    .put({ ...STORE, storeId: "dead" }, null)
    .catch(() => {});
}

function die(): never {
  throw new Error("killed");
}

describe("the state of a connected shop", () => {
  test("a change from another state than the present one does nothing", async () => {
    const { registry, clock } = openRegistry();
    await registry.put(STORE, null);
    await clock.advance(1_000);
    expect(await registry.change("boutique-1", ["suspended"], "connected")).toMatchObject({ stateSince: 0 });
    const suspended = await registry.change("boutique-1", ["connected"], "suspended");
    expect(suspended).toMatchObject({ state: "suspended", stateSince: clock.now() });
    expect(await registry.change("nobody", ["connected"], "suspended")).toBeNull();
  });
});

describe("an invitation", () => {
  test("a code connects one shop, and the same shop again after a connection that failed", async () => {
    const { records, clock } = openRegistry();
    const invitations = createInvitations(records, clock);
    const code = await invitations.create();
    expect(await invitations.open()).toMatchObject([{ begins: code.slice(0, 5), usedBy: null }]);
    expect(await invitations.use(code.toLowerCase().replaceAll("-", " "), "https://a.example")).toBe(true);
    expect(await invitations.use(code, "https://b.example")).toBe(false);
    expect(await invitations.use(code, "https://a.example")).toBe(true);
    expect(await invitations.open()).toMatchObject([{ usedBy: "https://a.example" }]);
    await invitations.spend("https://a.example");
    expect(await invitations.open()).toEqual([]);
  });

  test("a withdrawn code is unknown, also to the shop that used it without being connected; a spent one stays", async () => {
    const { records, clock } = openRegistry();
    const invitations = createInvitations(records, clock);
    const [code, spent] = [await invitations.create(), await invitations.create()];
    await invitations.use(code, "https://a.example");
    await invitations.use(spent, "https://b.example");
    const ids = (await invitations.open()).map(({ id }) => id);
    await invitations.spend("https://b.example");
    expect((await Promise.all(ids.map((id) => invitations.withdraw(id)))).sort()).toEqual([false, true]);
    expect(await invitations.use(code, "https://a.example")).toBe(false);
    expect(await invitations.withdraw(ids[0] ?? "")).toBe(false);
    expect((await records.list({ kind: "store-invitation", limit: 9 })).map(({ value }) => value)).toMatchObject([
      { usedBy: "https://b.example", isSpent: true },
    ]);
  });

  test("the open codes are listed from the newest to the oldest, also those that no first page of rows contains", async () => {
    const { records, clock } = openRegistry();
    const invitations = createInvitations(records, clock);
    const codes: string[] = [];
    for (let count = 0; count < 501; count++) {
      codes.unshift((await invitations.create()).slice(0, 5));
      await clock.advance(1_000);
    }
    expect((await invitations.open()).map(({ begins }) => begins)).toEqual(codes);
  });

  test("an unknown code and an expired code connect nobody, and the ledger does not hold the code itself", async () => {
    const { records, clock } = openRegistry();
    const invitations = createInvitations(records, clock);
    const code = await invitations.create();
    const rows = await records.list({ kind: "store-invitation", limit: 9 });
    expect(JSON.stringify(rows).toUpperCase()).not.toContain(code.replaceAll("-", ""));
    expect(await invitations.use("", "https://a.example")).toBe(false);
    expect(await invitations.use("0".repeat(30), "https://a.example")).toBe(false);
    await clock.advance(31 * 24 * 3_600_000);
    expect(await invitations.use(code, "https://a.example")).toBe(false);
  });
});
