import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServiceClient } from "@tillkit/client";
import { openLedger } from "@tillkit/ledger";
import type { Diagnosis } from "@tillkit/php-bridge";
import { examineWooCommerce } from "@tillkit/woocommerce";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Fixture, logIn, type Owner, openServer, SERVER_KEY } from "./self-service-fixture.ts";

/** A server with its ledger in a file, which the doctor opens beside it. */
async function openServerWithFile(): Promise<Fixture> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-doctor-"));
  const database = `sqlite:${join(folder, "ledger.db")}`;
  const ledger = await openLedger(database, { secretKeys: [SERVER_KEY] });
  onTestFinished(async () => {
    await ledger.close();
    await rm(folder, { recursive: true });
  });
  return await openServer({ database }, { ledger });
}

async function connectShop(fixture: Fixture): Promise<Owner & { readonly storeId: string }> {
  const owner = await fixture.openShop({ decimals: 0 });
  const { keys } = await fixture.sandbox.control.createOrganization("Chez Awa");
  await owner.connect({ apiKey: keys.test.secret });
  return { ...owner, storeId: owner.link()?.storeId ?? "" };
}

async function examine(fixture: Fixture, store?: string): Promise<readonly Diagnosis[]> {
  const found: Diagnosis[] = [];
  for await (const diagnosis of examineWooCommerce(fixture.server.config, { store })) found.push(diagnosis);
  expect(JSON.stringify(found)).not.toMatch(/svc_sk_test_\w|whsec_\w/);
  return found;
}

describe("the doctor of shops that connect themselves", () => {
  it("each shop has one line, and the line of a shop that fails says what to do", async () => {
    const fixture = await openServerWithFile();
    const [works, gone, other] = [await connectShop(fixture), await connectShop(fixture), await connectShop(fixture)];
    await works.pay();
    const [payment] = (await fixture.ledger.listPayments({ storeId: works.storeId, limit: 1 })).rows;
    const session = payment?.session?.id ?? "";
    await fixture.sandbox.control.paySession(session, { method: "card", outcome: "completed" });
    await gone.fake.close();
    // The link secret is lost, as in a WordPress that was restored from an old backup.
    other.fake.startPairing(fixture.url);
    const [link] = await fixture.ledger.secrets.list({ kind: "woo-pairing", storeId: other.storeId, limit: 1 });
    const lost = { linkSecret: "a link secret that the shop does not have, long enough" };
    await fixture.ledger.secrets.put(other.storeId, "woo-pairing", "link", lost, link?.version ?? 0);
    const found = await examine(fixture);
    const lineOf = ({ storeId }: { readonly storeId: string }) => found.filter((line) => line.storeId === storeId);
    expect(found).toHaveLength(3);
    expect(lineOf(works)).toMatchObject([{ check: "shop", status: "ok" }]);
    expect(lineOf(works)[0]?.message).toMatch(/The plugin \S+ answers, .* accepts the test key/);
    expect(lineOf(gone)).toMatchObject([
      { status: "error", message: expect.stringContaining("address: The shop cannot be reached (ECONNREFUSED)") },
    ]);
    expect(lineOf(other)).toMatchObject([
      { status: "error", message: expect.stringContaining("The plugin rejects our signature") },
    ]);
  });

  it("of one named shop every check is shown, also its state and its copies; an unknown shop is refused", async () => {
    const fixture = await openServerWithFile();
    const { storeId } = await connectShop(fixture);
    await (await logIn(fixture))(`/shops/${storeId}/suspend`);
    await fixture.server.checkout.engine.installations.originalOf(
      storeId,
      "https://staging.example",
      "https://a.example",
    );
    const found = await examine(fixture, storeId);
    expect(found.map(({ check, status }) => `${check} ${status}`)).toEqual([
      "pairing warning",
      "copies warning",
      "address ok",
      "clock ok",
      "rest-key ok",
      "plugin ok",
      "currency ok",
      "service ok",
      "transactions warning",
      "webhooks ok",
    ]);
    expect(found[1]?.message).toContain("staging.example looks like a copy of this shop");
    await expect(examine(fixture, "nobody")).rejects.toThrow("no shop with the id nobody");
  });

  it("a webhook that was deleted at the service, or signs with another secret, is mended by connecting with the same key", async () => {
    const fixture = await openServerWithFile();
    const owner = await fixture.openShop();
    await owner.connect();
    const storeId = owner.link()?.storeId ?? "";
    const webhookOf = async () => (await examine(fixture, storeId)).find(({ check }) => check === "webhooks");
    const { webhooks } = createServiceClient({
      apiKey: fixture.sandbox.keys.test.secret,
      baseUrl: fixture.sandbox.baseUrl,
    });
    for (const harm of ["rotate", "delete"] as const) {
      for await (const { id = "" } of webhooks.list())
        await (harm === "delete" ? webhooks.delete(id) : webhooks.update(id, { rotate_secret: true }));
      const broken = await webhookOf();
      expect(broken?.status, harm).toBe("error");
      expect(broken?.message, harm).toContain("connects the shop again, and enter the same key");
      expect((await owner.connect()).status, harm).toBe(303);
      expect((await webhookOf())?.status, harm).toBe("ok");
    }
  });
});
