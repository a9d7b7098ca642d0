import type { Ledger } from "@tillkit/core";
import type { Records } from "@tillkit/core/ledger";
import { expect, it } from "vitest";

export function testRecords(records: () => Records): void {
  const shop = { domain: "hats.example", tags: ["été", 1, null, true], nested: { depth: 1 } };

  it("a record is returned as it was stored, with its version", async () => {
    expect(await records().put("hats", "shop", "main", shop, "new")).toBe("done");
    expect(await records().get("hats", "shop", "main")).toEqual({ value: shop, version: 1 });
    for (const value of [null, 0, "", false, [1]]) {
      await records().put("hats", "value", JSON.stringify(value), value, "new");
      expect(await records().get("hats", "value", JSON.stringify(value))).toEqual({ value, version: 1 });
    }
  });

  it("records are separate by store, kind and key", async () => {
    await records().put("hats", "shop", "main", 1, "new");
    expect(await records().get("shoes", "shop", "main")).toBeNull();
    expect(await records().get("hats", "token", "main")).toBeNull();
    expect(await records().get("hats", "shop", "other")).toBeNull();
    expect(await records().put("shoes", "shop", "main", 2, "new")).toBe("done");
    expect(await records().get("hats", "shop", "main")).toEqual({ value: 1, version: 1 });
  });

  it("a record is replaced only under the version that was read", async () => {
    expect(await records().put("hats", "shop", "main", 1, 1)).toBe("stale");
    await records().put("hats", "shop", "main", 1, "new");
    expect(await records().put("hats", "shop", "main", 2, "new")).toBe("stale");
    expect(await records().put("hats", "shop", "main", 2, 1)).toBe("done");
    expect(await records().put("hats", "shop", "main", 3, 1)).toBe("stale");
    expect(await records().get("hats", "shop", "main")).toEqual({ value: 2, version: 2 });
  });

  it("one of twenty concurrent writes of a record succeeds", async () => {
    const puts = Array.from({ length: 20 }, (_, value) => records().put("hats", "shop", "main", value, "new"));
    const answers = await Promise.all(puts);
    expect(answers.filter((answer) => answer === "done")).toHaveLength(1);
    expect(await records().get("hats", "shop", "main")).toEqual({ value: answers.indexOf("done"), version: 1 });
  });

  it("a stored value does not change when a caller changes the object that it passed or received", async () => {
    const passed = { tags: ["a"] };
    await records().put("hats", "shop", "main", passed, "new");
    passed.tags.push("b");
    const received = (await records().get("hats", "shop", "main"))?.value as { tags: string[] };
    expect(received).toEqual({ tags: ["a"] });
    received.tags.push("c");
    expect((await records().get("hats", "shop", "main"))?.value).toEqual({ tags: ["a"] });
  });

  it("eraseStore removes all records of one store and no record of another store", async () => {
    for (const store of ["hats", "shoes"]) {
      await records().put(store, "shop", "main", 1, "new");
      await records().put(store, "token", "main", 1, "new");
    }
    await records().eraseStore("hats");
    expect(await records().get("hats", "shop", "main")).toBeNull();
    expect(await records().get("hats", "token", "main")).toBeNull();
    expect(await records().get("shoes", "token", "main")).toEqual({ value: 1, version: 1 });
    expect(await records().put("hats", "shop", "main", 2, "new")).toBe("done");
  });
}

export async function testRecordsAndSecrets({ records, secrets }: Ledger): Promise<void> {
  await records.put("hats", "shop", "main", "open", "new");
  await secrets.put("hats", "shop", "main", "sealed", "new");
  expect(await records.get("hats", "shop", "main")).toEqual({ value: "open", version: 1 });
  expect(await secrets.get("hats", "shop", "main")).toEqual({ value: "sealed", version: 1 });
  await records.eraseStore("hats");
  expect(await secrets.list({ kind: "shop", limit: 9 })).toEqual([
    { storeId: "hats", key: "main", value: "sealed", version: 1 },
  ]);
}
