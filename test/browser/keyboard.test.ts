import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Demo, openDemo } from "@tillkit/example-shop/demo";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PATIENCE_MS } from "../waiting/patience.ts";
import { enter, tabTo, typeInto } from "./keyboard.ts";
import { openBrowser, openDesktop, whyNoBrowser } from "./phone.ts";
import { goToPayment, payByCard, waitForPaidOrder } from "./shopper.ts";

const skipReason = whyNoBrowser();
const title = `The keyboard alone${skipReason === null ? "" : ` (skipped: ${skipReason})`}`;

/** With a zoom of 4, which people call 400 %, a desktop's page is as narrow as a phone's and only a few lines high. */
type Screen = { readonly language: "en" | "fr"; readonly zoom?: number };

const SCREENS: readonly (readonly [name: string, screen: Screen])[] = [
  ["in English", { language: "en" }],
  ["in French at 400 %", { language: "fr", zoom: 4 }],
];

describe.skipIf(skipReason !== null)(title, () => {
  let demo: Demo;
  let folder: string;
  let browser: Browser;
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tillkit-keyboard-"));
    [demo, browser] = await Promise.all([openDemo(folder), openBrowser()]);
  });

  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });

  afterAll(async () => {
    await browser?.close();
    await demo?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(screen: Screen): Promise<Page> {
    const context = await openDesktop(browser, screen);
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    return page;
  }

  /** Opens the overview of the operators' pages: the token is typed and sent by Enter. */
  async function logIn(screen: Screen): Promise<Page> {
    const page = await open(screen);
    await page.goto(`${demo.shopUrl}/operators`);
    await typeInto(page, page.locator("#token"), demo.operatorToken);
    await page.keyboard.press("Enter");
    await page.locator("nav.sections").waitFor();
    return page;
  }

  /** A shopper's purchase beforehand. Returns the number of its order. */
  async function buy(whilePaying: (orderId: string) => Promise<void> = async () => undefined): Promise<string> {
    const page = await open({ language: "en" });
    await goToPayment(page, demo.shopUrl, /Coffee/);
    const { id } = await demo.shop.database.db
      .selectFrom("orders")
      .select("id")
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    await whilePaying(String(id));
    await payByCard(page);
    await page.waitForURL(`${demo.shopUrl}/**`);
    return String(id);
  }

  it.each(SCREENS)("a shopper buys and pays by card %s", async (_, screen) => {
    const page = await open(screen);
    await page.goto(demo.shopUrl);
    await enter(page, page.getByRole("button", { name: /Café de Man|Coffee/ }));
    await enter(page, page.getByRole("link", { name: /^(Commander|Order)$/ }));
    await typeInto(page, page.locator("#pickupName"), "Awa Diop");
    await enter(page, page.getByRole("button", { name: /^(Payer|Pay) / }));
    await tabTo(page, page.locator("#method-wave"));
    const card = page.locator("#method-card");
    while (!(await card.isChecked())) await page.keyboard.press("ArrowRight");
    await typeInto(page, page.locator("#card_number"), "4242424242424242");
    await typeInto(page, page.locator("#card_expiry"), "1234");
    await typeInto(page, page.locator("#card_cvc"), "123");
    await typeInto(page, page.locator("#email"), "awa@example.test");
    await enter(page, page.getByRole("button", { name: /^(Payer|Pay) / }));
    await waitForPaidOrder(page);
  });

  it.each(SCREENS)("an operator finds a payment and refunds a part of it %s", async (_, screen) => {
    const orderId = await buy();
    const page = await logIn(screen);
    // At 400 % the search is a page of its own, as on a phone.
    if (screen.zoom !== undefined) await enter(page, page.locator("nav.sections [href$='/find']"));
    await typeInto(page, page.locator("input[type=search]:visible"), orderId);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: new RegExp(`^(Commande|Order) ${orderId}$`) }).waitFor();
    await enter(page, page.getByRole("link", { name: /^(Rembourser|Refund) …$/ }));
    await typeInto(page, page.locator("#amount"), "1500");
    await tabTo(page, page.locator("#reason"));
    await page.keyboard.press("ArrowDown");
    await typeInto(page, page.locator("#by"), "Adjoua");
    await page.keyboard.press("Enter");
    await page.locator(".sums").waitFor();
    await enter(page, page.getByRole("button", { name: /^(Rembourser|Refund) 1/ }));
    await page
      .getByRole("status")
      .filter({ hasText: /remboursé|refunded/i })
      .waitFor();
  });

  it.each(SCREENS)("an operator accepts a payment that waits for a decision %s", async (_, screen) => {
    const orderId = await buy(async (id) => {
      const owner = await open({ language: "en" });
      await owner.goto(`${demo.shopUrl}/owner`);
      await typeInto(owner, owner.locator(`#total-${id}`), "9000");
      await owner.keyboard.press("Enter");
      await owner.locator(`#total-${id}[value="9000"]`).waitFor();
    });
    const page = await logIn(screen);
    await enter(page, page.locator("main").getByRole("link", { name: new RegExp(`^(Commande|Order) ${orderId}$`) }));
    await enter(page, page.locator("main a[href$='/accept']"));
    await typeInto(page, page.locator("#by"), "Adjoua");
    await page.keyboard.press("Enter");
    await page.getByRole("status").waitFor();
    await page.locator(".badge.good", { hasText: /^(Payé|Paid)$/ }).waitFor();
  });

  it.each(SCREENS)("an operator exports a period as a file for Excel %s", async (_, screen) => {
    const orderId = await buy();
    const page = await logIn(screen);
    if (screen.zoom !== undefined) await enter(page, page.locator("nav.sections [href$='/menu']"));
    await enter(page, page.locator("[href$='/export']:visible"));
    await tabTo(page, page.locator("#what"));
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await tabTo(page, page.locator("#format"));
    await page.keyboard.press("ArrowDown");
    const download = page.waitForEvent("download");
    await enter(page, page.locator("main form button").first());
    expect((await download).suggestedFilename()).toMatch(/\.csv$/);
    expect(await readFile(await (await download).path(), "utf8")).toContain(orderId);
  });
});
