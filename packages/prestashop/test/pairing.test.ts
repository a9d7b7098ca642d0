import { describe, expect, it } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { openServer, STORE_ID, TOTAL } from "./server-fixture.ts";

const ORDER = { total: TOTAL, title: "Coffee", language: "fr" } as const;

describe("pairing a PrestaShop", () => {
  it("the owner sees what will be allowed before anything changes, and nobody can pay yet", async () => {
    const { shop, server, publicUrl, post, follow, webhookUrls } = await openServer({ isPaired: false });
    const answer = await post("/bridge/v1/pair", shop.startPairing(publicUrl));
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page).toContain("mark orders paid, put them on hold, and add notes to them");
    expect([await webhookUrls(), await server.unpaired(), shop.calls]).toEqual([[], [STORE_ID], []]);
    expect((await follow(shop.place(ORDER))).status).toBe(403);
  });

  it("a paired shop takes a payment without a typed secret or a webhook that was set up by hand", async () => {
    const { shop, server, sandbox, ledger, publicUrl, post, follow, webhookUrls } = await openServer({
      isPaired: false,
    });
    const answer = await post("/bridge/v1/pair/confirm", shop.startPairing(publicUrl));
    const settings = `${shop.url}/admin4711/index.php?controller=AdminModules&configure=tillkit`;
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      `${settings}&tillkit_paired=yes#tillkit-connection`,
    ]);
    expect([await server.unpaired(), await webhookUrls()]).toEqual([[], [`${publicUrl}/hooks/service/${STORE_ID}`]]);
    const order = shop.place(ORDER);
    expect((await follow(order)).status).toBe(303);
    const [payment] = await ledger.paymentsOfOrder({ storeId: STORE_ID, orderId: order.id });
    await sandbox.control.paySession(payment?.session?.id ?? "", { method: "card", outcome: "completed" });
    await waitFor(() => expect([order.state, order.timesPaid]).toEqual(["paid", 1]));
  });

  it("a code connects once, and only with the checkout server for which the owner asked", async () => {
    const { shop, server, publicUrl, post, webhookUrls } = await openServer({ isPaired: false });
    const foreign = shop.startPairing("https://another.example");
    expect((await post("/bridge/v1/pair/confirm", foreign)).status).toBe(502);
    expect([await server.unpaired(), await webhookUrls()]).toEqual([[STORE_ID], []]);
    const form = shop.startPairing(publicUrl);
    expect((await post("/bridge/v1/pair/confirm", form)).status).toBe(303);
    const secret = shop.linkSecret();
    const again = await post("/bridge/v1/pair/confirm", form);
    expect([again.status, await again.text()]).toEqual([
      502,
      expect.stringContaining(
        "This connection has expired or was already made. Open the settings of Tillkit in PrestaShop",
      ),
    ]);
    expect([shop.linkSecret(), (await webhookUrls()).length]).toEqual([secret, 1]);
  });

  it("pairing again changes the secret, and a link that was signed before still opens its hosted page", async () => {
    const { shop, publicUrl, post, follow, linkOf, webhookUrls } = await openServer({ isPaired: false });
    const pair = () => post("/bridge/v1/pair/confirm", shop.startPairing(publicUrl));
    expect((await pair()).status).toBe(303);
    const [before, after] = [shop.place(ORDER), shop.place(ORDER)];
    const link = linkOf(before);
    expect((await pair()).status).toBe(303);
    expect(linkOf(before)).not.toBe(link);
    expect([(await follow(link)).status, (await follow(after)).status]).toEqual([303, 303]);
    expect(await webhookUrls()).toHaveLength(1);
  });
});
