import { listCopies } from "@tillkit/core/hosts";
import { describe, expect, it } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { openServerFixture, type ServerFixture, STORE_ID } from "./server-fixture.ts";

const STAGING = "https://staging.shop.example";

/** A paid order, and the calls about it that a copy of the site makes with everything that it has of the original. */
async function openPaidOrder() {
  const fixture = await openServerFixture();
  const { order, payment } = await fixture.openOrder();
  await fixture.pay(payment);
  await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
  const about = { order: String(order.id), key: order.key, language: "en" };
  return { fixture, payment, about, refund: refundOf(fixture, about) };
}

function refundOf(fixture: ServerFixture, about: object) {
  return (site: object) =>
    fixture.call("refund", { ...about, refund_key: "click-0001", amount: "5000", currency: "XOF", ...site });
}

describe("a copy of the site", () => {
  it("a copy of the site refunds, decides, exports and erases nothing, and is told whose copy it looks like", async () => {
    const { fixture, payment, about, refund } = await openPaidOrder();
    const refused = { status: 409, body: { code: "tillkit_looks_like_copy", copy_of: "127.0.0.1" } };
    expect(await refund({ site: STAGING })).toMatchObject(refused);
    for (const purpose of ["decide", "export", "erase"] as const) {
      expect(await fixture.call(purpose, { ...about, site: STAGING })).toMatchObject(refused);
    }
    expect(await fixture.ledger.refunds(payment.id)).toEqual([]);
    expect(await refund({})).toMatchObject({ status: 200, body: { state: "completed" } });
  });

  it("a copy reads its orders and pays, and learns there too that it looks like a copy", async () => {
    const { fixture, about } = await openPaidOrder();
    const read = await fixture.call("status", { ...about, site: STAGING });
    expect(read).toMatchObject({ status: 200, body: { copy_of: "127.0.0.1" } });
    expect(await fixture.call("status", about)).toMatchObject({ status: 200 });
  });

  it("the owner of a shop that moved says so once, and refunds there again", async () => {
    const { fixture, refund } = await openPaidOrder();
    await refund({ site: STAGING });
    expect(await listCopies(fixture.ledger.records)).toMatchObject([
      { storeId: STORE_ID, address: "staging.shop.example" },
    ]);
    const said = { site: STAGING, answer: "moved", by: "shop_manager #7" };
    expect(await fixture.call("installation", said)).toMatchObject({ status: 200 });
    expect(await refund({ site: STAGING })).toMatchObject({ status: 200, body: { state: "completed" } });
    expect((await fixture.ledger.listActs({ limit: 5 })).rows).toMatchObject([
      { act: "installation_moved", by: "shop_manager #7" },
    ]);
  });

  it("a copy stays refused after its owner said what it is, and nobody is asked again", async () => {
    const { fixture, refund } = await openPaidOrder();
    await refund({ site: STAGING });
    await fixture.call("installation", { site: STAGING, answer: "copy", by: "shop_manager #7" });
    expect(await refund({ site: STAGING })).toMatchObject({ status: 409 });
    expect(await listCopies(fixture.ledger.records)).toEqual([]);
  });

  it("a call that names no address refunds nothing, and one of a proxy's port does", async () => {
    const { refund } = await openPaidOrder();
    expect(await refund({ site: undefined })).toMatchObject({ status: 400 });
    expect(await refund({ site: "https://127.0.0.1:8443/" })).toMatchObject({ status: 200 });
  });
});
