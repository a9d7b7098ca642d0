import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { walkByKeyboard } from "./keyboard.ts";
import { checkPage, savePicture } from "./phone.ts";
import type { ShopFixture } from "./shop-fixture.ts";
import { goToPayment, payByCard, payByPhone, pressPay, waitForPaidOrder } from "./shopper.ts";

const AMOUNT = /^(Montant à rembourser|Amount to refund)/;

/** A purchase and the owner's page on a desktop in English, and refunds by the owner on both screens. */
export function shopOnDesktopTests(fixture: ShopFixture): void {
  it("every page of a purchase on a desktop, in English, is accessible and fits the screen", async () => {
    const page = await fixture.desktop();
    await page.goto(fixture.demo().shopUrl);
    await checkPage(page, "desktop-shop");
    await walkByKeyboard(page, 5);
    await page.getByRole("button", { name: /Coffee/ }).click();
    await checkPage(page, "desktop-cart");
    await page.getByRole("link", { name: "Order", exact: true }).click();
    await checkPage(page, "desktop-checkout");
    await page.getByLabel(/^Name of the person/).fill("Awa Diop");
    await pressPay(page);
    await page.getByLabel("Full name").waitFor();
    expect(await page.getByLabel("Full name").inputValue()).toBe("Awa Diop");
    await checkPage(page, "desktop-hosted-page");
    await payByCard(page);
    await waitForPaidOrder(page);
    await checkPage(page, "desktop-order-paid");
  });

  it("the pay button shows that it works, and works again after the browser's way back", async () => {
    const page = await fixture.desktop();
    await page.goto(fixture.demo().shopUrl);
    await page.getByRole("button", { name: /Coffee/ }).click();
    await page.getByRole("link", { name: "Order", exact: true }).click();
    await page.getByLabel(/^Name of the person/).fill("Awa Diop");
    // The form is not sent, as on a network that is still on its way.
    await page.evaluate("addEventListener('submit', (event) => event.preventDefault())");
    await page.getByRole("button", { name: /^Pay / }).click();
    await page.getByRole("button", { name: "One moment…" }).waitFor();
    await page.evaluate("dispatchEvent(new Event('pageshow'))");
    await pressPay(page);
    await page.getByRole("button", { name: "One moment…" }).waitFor();
  });

  it("a shopper on a desktop cancels, pays by mobile money and sees the order change by itself", async () => {
    const page = await fixture.desktop();
    await goToPayment(page, fixture.demo().shopUrl, /Coffee/);
    await page.getByRole("link", { name: "Cancel and return to the shop" }).click();
    await page.getByRole("button", { name: "Continue the payment" }).click();
    await payByPhone(page, "+225 07 00 00 00 01");
    await page.getByRole("link", { name: "Return to the shop" }).click();
    await page.getByRole("heading", { name: "Your payment is being confirmed" }).waitFor();
    await checkPage(page, "desktop-waiting");
    await fixture.demo().sandbox.control.advanceClock(3_600_000);
    await waitForPaidOrder(page);
  });

  it.each([
    ["phone", "fr"],
    ["desktop", "en"],
  ] as const)("the owner refunds a part and then the rest, without JavaScript (%s, %s)", async (screen, language) => {
    const page = await fixture[screen]({ language });
    await goToPayment(page, fixture.demo().shopUrl, /Café de Man|Coffee/);
    await payByCard(page);
    await waitForPaidOrder(page);
    const order = (await page.locator("h1").textContent()) ?? "";
    const owner = await fixture[screen]({ language, javaScript: false });
    const panel = owner.locator("section", { hasText: order });
    await owner.goto(`${fixture.demo().shopUrl}/owner`);
    await refund(panel, "1000");
    await waitForRefunded(owner, panel, /1\s000\sF\sCFA/);
    expect(await panel.getByLabel(AMOUNT).inputValue()).toBe("3000");
    await savePicture(owner, `owner-refunded-${screen}-${language}`);
    await refund(panel, "3000");
    await waitForRefunded(owner, panel, /4\s000\sF\sCFA/);
    await page.reload();
    await page.locator("[data-status=refunded]").waitFor();
    await checkPage(page, `order-refunded-${screen}-${language}`);
    await page.goto(owner.url());
    await checkPage(page, `owner-${screen}-${language}`);
  });
}

async function refund(panel: Locator, amount: string): Promise<void> {
  await panel.getByLabel(AMOUNT).fill(amount);
  await panel.getByRole("button", { name: /^(Rembourser|Refund) / }).click();
}

/** The shop records a refund right after it was sent, and the owner's page does not refresh itself. */
async function waitForRefunded(owner: Page, panel: Locator, amount: RegExp): Promise<void> {
  const shown = panel.getByText(/^(Remboursé|Refunded)/).filter({ hasText: amount });
  const reload = async () => {
    await owner.goto(owner.url().replace(/\?.*/, ""));
    return await shown.count();
  };
  await expect.poll(reload, { interval: 200 }).toBe(1);
}
