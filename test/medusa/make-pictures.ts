// Opens the example store with its admin, lets good and bad things happen in it, and takes the pictures of the plugin's
// README: npm run picture:medusa
import { mkdir } from "node:fs/promises";
import { openStore, type RunningStore } from "@tillkit/example-medusa-store/open-store";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../browser/phone.ts";
import { good } from "./http.ts";
import { createOwner } from "./owner.ts";
import { until } from "./probe.ts";
import { createShopper, payingOf, type Shopper } from "./shop.ts";

const FOLDER = "packages/medusa/pictures";
const WIDGET = { en: "Payment at the service", fr: "Paiement auprès du service" } as const;
/** Medusa's pages slide in. */
const STILL_MS = 1_500;

const store = await openStore({ admin: true, say: (line) => console.log(`${line} …`) });
const browser = await openBrowser();
try {
  await mkdir(FOLDER, { recursive: true });
  const orderId = await letThingsHappen(store);
  for (const language of ["en", "fr"] as const) await takePictures(browser, store, { language, orderId });
} finally {
  await browser.close();
  await store.close();
}

/** A paid order of which a part went back, half the money, and a cart that was changed meanwhile. */
async function letThingsHappen({ medusa, sandbox, login, publishableKey }: RunningStore): Promise<string> {
  const shopper = await createShopper(() => medusa.url, publishableKey);
  const owner = await createOwner(() => medusa.url, login);
  const pay = (id: string) => sandbox.control.paySession(id, { method: "card", outcome: "completed" });

  const bought = await shopper.goToPay("usd", "wax-cloth");
  await pay(bought.checkoutId);
  const completed = await until(
    () => shopper.complete(bought.cartId),
    ({ body }) => body.type === "order",
    20_000,
  );
  const orderId = completed.body.order?.id ?? "";
  const [payment] = await owner.payments(orderId);
  await good(owner.refund(payment?.id ?? "", 2.8));

  const short = await shopper.goToPay("xof", "wax-cloth");
  const path = `/checkout-sessions/${short.checkoutId}`;
  await sandbox.control.addFault({ method: "GET", path, patch: { amount: 5_250 }, times: 1_000 });
  await pay(short.checkoutId);
  await pay((await changedCart(shopper)).checkoutId);
  await until(owner.attention, (shown) => shown.length >= 2, 30_000);
  return orderId;
}

async function changedCart(shopper: Shopper) {
  const cart = await shopper.fillCart("xof", "shea-butter");
  const old = payingOf(cart.id, await good(shopper.pressPay(cart.id)));
  await shopper.changeQuantity(cart, 3);
  await good(shopper.pressPay(cart.id));
  return old;
}

type Subject = { readonly language: "en" | "fr"; readonly orderId: string };

async function takePictures(by: Browser, { medusa, login }: RunningStore, { language, orderId }: Subject) {
  const desk = await by.newContext({ viewport: { width: 1280, height: 1180 }, locale: language });
  const page = await desk.newPage();
  // Where the admin keeps the language that its user chose.
  await page.addInitScript(`localStorage.setItem("lng", "${language}")`);
  await page.goto(`${medusa.url}/app/login`);
  await page.locator("input[name=email]").fill(login.email);
  await page.locator("input[name=password]").fill(login.password);
  await page.locator("button[type=submit]").click();
  await page.waitForURL(({ pathname }) => !pathname.endsWith("/login"));

  await page.goto(`${medusa.url}/app/orders/${orderId}`);
  await page.getByRole("heading", { name: WIDGET[language] }).scrollIntoViewIfNeeded();
  await takePicture(page, `order-page-${language}`);
  await page.goto(`${medusa.url}/app/tillkit`);
  await takePicture(page, `attention-${language}`);
}

async function takePicture(page: Page, name: string): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(STILL_MS);
  await page.screenshot({ path: `${FOLDER}/${name}.png` });
}
