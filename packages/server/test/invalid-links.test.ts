import { createSignedTokens } from "@tillkit/runtime";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LinkPurpose } from "../src/shopper/link-tokens.ts";
import { LINK_KEY, loggedSecrets, type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";

let merchant: MerchantFixture;
beforeEach(async () => {
  merchant = await openMerchant();
});
afterEach(() => merchant.close());
afterEach(() => expect(loggedSecrets(merchant)).toEqual([]));

function linkOf(purpose: LinkPurpose, paymentId: string, key = LINK_KEY): string {
  return `/${purpose}/${createSignedTokens<LinkPurpose>([key], merchant.clock).sign(purpose, paymentId)}`;
}

describe("an invalid link", () => {
  test("a malformed link gets a 404, a forged link a 403 and an expired link a 410, each with an explanation", async () => {
    const { paymentId } = await merchant.startPayment();
    const cases: [string, number, string][] = [
      ["/return/abc", 404, "Ce lien ne fonctionne pas"],
      ["/return/%E0%A4%A", 404, "Ce lien ne fonctionne pas"],
      [linkOf("return", "never-heard-of"), 404, "Ce lien ne fonctionne pas"],
      [linkOf("return", paymentId, "the key of somebody else altogether"), 403, "Ce lien n’est pas valable"],
      [linkOf("cancel", paymentId).replace("/cancel/", "/return/"), 403, "Ce lien n’est pas valable"],
      [linkOf("return", paymentId).replace("/return/", "/pay/"), 403, "Ce lien n’est pas valable"],
    ];
    for (const [path, status, sentence] of cases) {
      const answer = await merchant.get(path);
      const page = await answer.text();
      expect([path, answer.status]).toEqual([path, status]);
      expect(page).toContain(sentence);
      expect(page).not.toMatch(/at .*\.ts|node_modules|Error:/);
    }
    const old = linkOf("return", paymentId);
    await merchant.clock.advance(31 * 24 * 60 * 60_000);
    const late = await merchant.get(old);
    expect(late.status).toBe(410);
    expect(await late.text()).toContain("Ce lien n’est plus valable");
  });

  test("a link that is cut off or changed names its shop and leads to the shop's front page", async () => {
    const { paymentId } = await merchant.startPayment();
    Object.assign(merchant.shop.adapter, { name: "Chez Adjoua", branding: { homeUrl: "https://boutique.example/" } });
    for (const path of [
      linkOf("return", paymentId).slice(0, -20),
      linkOf("return", paymentId, "the key of somebody else altogether"),
    ]) {
      const page = await (await merchant.get(path)).text();
      expect(page).toContain("Chez Adjoua");
      expect(page).toContain('href="https://boutique.example/"');
      expect(page).not.toContain("1042");
    }
  });

  test("a link that names no payment leads to the front page of the only shop", async () => {
    Object.assign(merchant.shop.adapter, { name: "Chez Adjoua", branding: { homeUrl: "https://boutique.example/" } });
    for (const path of ["/return/abc", "/return/%E0%A4%A", linkOf("return", "never-heard-of")]) {
      const page = await (await merchant.get(path)).text();
      expect(page, path).toContain('<a class="button" href="https://boutique.example/">Retourner à la boutique</a>');
      expect(page, path).toContain("Chez Adjoua");
    }
  });

  test("a link that is too old leads to the front page of its shop, which the shop itself names", async () => {
    const { paymentId } = await merchant.startPayment();
    const old = linkOf("return", paymentId);
    await merchant.clock.advance(31 * 24 * 60 * 60_000);
    expect(await (await merchant.get(old)).text()).toContain('href="https://boutique.example/"');
    merchant.shop.isDown = true;
    expect((await merchant.get(old)).status).toBe(410);
  });

  test("a bad status link is answered in JSON", async () => {
    const answer = await merchant.get("/status/abc");
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ status: "unknown" });
  });

  test("a bad link causes no read of the service", async () => {
    const { paymentId } = await merchant.startPayment();
    for (const path of [linkOf("return", paymentId, "the key of somebody else altogether"), "/pay/x", "/cancel/x"]) {
      await merchant.get(path);
    }
    expect(merchant.service.calls.read()).toBe(0);
  });
});
