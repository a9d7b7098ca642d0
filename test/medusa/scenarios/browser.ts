import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { openBrowser, openPhone, whyNoBrowser } from "../../browser/phone.ts";
import type { ScenarioFixture } from "../scenario-fixture.ts";

const skipReason = whyNoBrowser();

/** The storefront, the hosted page and the return page, in a browser. */
export function buyInBrowser(fixture: () => ScenarioFixture): void {
  describe.skipIf(skipReason !== null)(`in a browser${skipReason === null ? "" : ` (skipped: ${skipReason})`}`, () => {
    let browser: Browser | undefined;
    afterAll(() => browser?.close());

    it("a shopper buys, pays and sees the order, and the return URL shows it in another browser too", async () => {
      browser = await openBrowser();
      const page = await (await openPhone(browser)).newPage();
      await page.goto(fixture().storefrontUrl);
      await page.getByLabel("Livrer en").selectOption({ label: "Côte d'Ivoire" });
      await page.getByRole("button", { name: /10\s500/ }).click();
      await payByCard(page);
      await page.getByRole("heading", { name: "Commande payée, merci" }).waitFor();
      const order = await page.locator(".state").textContent();
      expect(order).toMatch(/Commanden°\s\d+.*10\s500\sF\sCFA/);

      const elsewhere = await (await openPhone(browser)).newPage();
      await elsewhere.goto(page.url());
      await elsewhere.getByRole("heading", { name: "Commande payée, merci" }).waitFor();
      expect(await elsewhere.locator(".state").textContent()).toBe(order);
    });
  });
}

async function payByCard(page: Page): Promise<void> {
  await page.getByLabel("Nom complet").fill("Awa Diallo");
  await page.getByLabel("E-mail").fill("awa@example.com");
  await page.getByRole("radio", { name: /^Carte/ }).check();
  await page.getByLabel("Numéro de carte").fill("4242 4242 4242 4242");
  await page.getByLabel("Date d’expiration").fill("12/34");
  await page.getByLabel("Code de sécurité").fill("123");
  await page.getByRole("button", { name: /^Payer/ }).click();
}
