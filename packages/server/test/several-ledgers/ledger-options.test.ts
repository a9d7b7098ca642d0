import { describe, expect, it } from "vitest";
import { createMultiLedgerServer, type MultiLedgerOptions } from "../../src/index.ts";
import { KEYS, OPERATOR, openTwoLedgers } from "../fixtures/two-ledgers.ts";

describe("the configuration of several ledgers", () => {
  it("a server does not start when two ledgers share a key, a name or a database", async () => {
    const { ledgers, stores } = await openTwoLedgers();
    const options = (changed: readonly object[]) => ({
      publicUrl: "https://pay.example.com",
      stores: { mover: stores.mover.adapter },
      credentials: [],
      ledgers: changed as unknown as MultiLedgerOptions["ledgers"],
    });
    const [first, second] = [
      { name: "old", keys: [KEYS.old], ledger: ledgers.old },
      { name: "new", keys: [KEYS.new], ledger: ledgers.new },
    ];
    const mistakes: [object, RegExp][] = [
      [{ ...second, keys: [KEYS.new, KEYS.old] }, /share a key/],
      [{ ...second, name: "old" }, /same name/],
      [{ ...second, name: "New ledger" }, /must be a part of an address/],
      [{ ...second, ledger: ledgers.old }, /same database/],
    ];
    for (const [mistaken, message] of mistakes) {
      expect(() => createMultiLedgerServer(options([first, mistaken]))).toThrow(message);
    }
    expect(() => createMultiLedgerServer(options([]))).toThrow(/ledgers is empty/);
    const withoutUrl = { ...options([first, second]), publicUrl: undefined as never };
    expect(() => createMultiLedgerServer(withoutUrl)).toThrow(/publicUrl must be a whole address/);
  });

  it("a process whose two databases changed places starts no order", async () => {
    const fixture = await openTwoLedgers();
    const order = await fixture.placeOrder();
    await fixture.server.startCheckout(await fixture.placeOrder());
    await fixture.server.moveStore("mover", "new");
    const swapped = await fixture.openProcess((_, name) => fixture.ledgers[name === "old" ? "new" : "old"]);
    await expect(swapped.startCheckout(order)).rejects.toMatchObject({ code: "configuration_invalid" });
    await expect(swapped.moveStore("mover", "new")).rejects.toMatchObject({ code: "configuration_invalid" });
    await expect(swapped.recover(0).next()).rejects.toMatchObject({ code: "configuration_invalid" });
    expect(await fixture.payments(order)).toEqual({ old: [], new: [] });
  });

  it("a store moves only to a ledger that knows it and has its key, and never back", async () => {
    const fixture = await openTwoLedgers();
    await expect(fixture.server.moveStore("stayer", "new")).rejects.toMatchObject({ code: "store_not_known" });
    await expect(fixture.server.moveStore("mover", "third")).rejects.toThrow('no ledger "third"');
    await fixture.server.moveStore("mover", "new");
    await expect(fixture.server.moveStore("mover", "old")).rejects.toThrow("no store returns");
    expect((await fixture.server.storeLedgers("mover")).map(({ name }) => name)).toEqual(["old", "new"]);
  });

  it("a store whose data was erased from the ledger that it left stays in its new ledger", async () => {
    const fixture = await openTwoLedgers();
    await fixture.server.moveStore("mover", "new");
    expect(await fixture.ledgers.old.eraseStore("mover")).toEqual({ erased: 0, unfinished: 0 });
    const order = await fixture.placeOrder();
    await fixture.server.startCheckout(order);
    expect(await fixture.payments(order)).toMatchObject({ old: [], new: [{ state: "open" }] });
  });

  it("a process that does not have the ledger of a store starts no order of that store", async () => {
    const fixture = await openTwoLedgers();
    await fixture.server.moveStore("mover", "new");
    const { name, keys, ledger } = { name: "old", keys: [KEYS.old], ledger: fixture.ledgers.old };
    const older = await fixture.openProcess(undefined, { ledgers: [{ name, keys, ledger }] });
    const order = await fixture.placeOrder();
    await expect(older.startCheckout(order)).rejects.toMatchObject({ code: "configuration_invalid" });
    expect(await fixture.payments(order)).toEqual({ old: [], new: [] });
  });

  it("the operators' pages name their ledger and link to the other ledger", async () => {
    const { url } = await openTwoLedgers();
    for (const [path, shown, other] of [
      ["/operators", "old", "/ledgers/new/operators"],
      ["/ledgers/new/operators", "new", "/operators"],
    ] as const) {
      const page = await openOverview(url, path);
      expect(/<p class="hint">Ledger: .*?<\/p>/s.exec(page)?.[0]).toContain(`<strong>${shown}</strong>`);
      expect(page).toContain(`<a href="${other}">`);
    }
  });
});

/** Logs in and returns the overview as HTML. */
async function openOverview(url: string, path: string): Promise<string> {
  const login = await fetch(`${url}${path}/login`, { headers: { "accept-language": "en" } });
  const form = /name="form" value="([^"]*)"/.exec(await login.text())?.[1] ?? "";
  const cookie = login.headers
    .getSetCookie()
    .map((text) => text.split(";", 1)[0])
    .join("; ");
  const body = new URLSearchParams({ form, token: OPERATOR, next: "/" });
  const entered = await fetch(`${url}${path}/login`, { method: "POST", body, redirect: "manual", headers: { cookie } });
  const session = entered.headers
    .getSetCookie()
    .map((text) => text.split(";", 1)[0])
    .join("; ");
  return await (await fetch(`${url}${path}`, { headers: { cookie: session, "accept-language": "en" } })).text();
}
