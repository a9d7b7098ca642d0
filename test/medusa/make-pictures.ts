// Opens the example store with its admin, creates payments in several states and takes pictures of the plugin's pages:
// npm run pictures -- medusa
import { mkdir } from "node:fs/promises";
import { createServiceClient } from "@tillkit/client";
import { openStore, type RunningStore } from "@tillkit/example-medusa-store/open-store";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../browser/phone.ts";
import { expectOk } from "./http.ts";
import { createOwner } from "./owner.ts";
import { waitUntil } from "./probe.ts";
import { createShopper, type Shopper, startedPaymentOf } from "./shopper.ts";

const FOLDER = "packages/medusa/pictures";
const WIDGET = { en: "Payment at the service", fr: "Paiement auprès du service" } as const;
/** Every payment has this button, so the page has loaded when the button is there. */
const CHECK = { en: "Check now", fr: "Vérifier maintenant" } as const;
/** Medusa's pages have an entry animation. */
const ANIMATION_MS = 1_500;

const store = await openStore({ admin: true, reportProgress: (line) => console.log(`${line} …`) });
const browser = await openBrowser();
try {
  await mkdir(FOLDER, { recursive: true });
  const orderId = await createPayments(store);
  for (const language of ["en", "fr"] as const) await takePictures(browser, store, { language, orderId });
} finally {
  await browser.close();
  await store.close();
}

/** Creates a partly refunded order whose second refund failed late, an underpaid cart, and a changed cart paid on its old page. */
async function createPayments({ medusa, sandbox, login, publishableKey }: RunningStore): Promise<string> {
  const shopper = await createShopper(() => medusa.url, publishableKey);
  const owner = await createOwner(() => medusa.url, login);
  const pay = (id: string) => sandbox.control.paySession(id, { method: "card", outcome: "completed" });

  const bought = await shopper.startPayment("usd", "wax-cloth");
  await pay(bought.checkoutId);
  const completed = await waitUntil(
    () => shopper.completeCart(bought.cartId),
    ({ body }) => body.type === "order",
  );
  const orderId = completed.body.order?.id ?? "";
  const [payment] = await owner.payments(orderId);
  await expectOk(owner.refund(payment?.id ?? "", 2.8));
  await sandbox.control.changeSettings({ refunds: "pending" });
  await expectOk(owner.refund(payment?.id ?? "", 5));
  await sandbox.control.changeSettings({ refunds: "instant" });
  await failPendingRefund(sandbox);

  const underpaid = await shopper.startPayment("xof", "wax-cloth");
  const path = `/checkout-sessions/${underpaid.checkoutId}`;
  await sandbox.control.addFault({ method: "GET", path, patch: { amount: 5_250 }, times: 1_000 });
  await pay(underpaid.checkoutId);
  await pay((await payThenChangeCart(shopper)).checkoutId);
  await waitUntil(owner.paymentsToReview, (shown) => shown.length >= 3);
  return orderId;
}

async function failPendingRefund({ control, keys, baseUrl }: RunningStore["sandbox"]): Promise<void> {
  const service = createServiceClient({ apiKey: keys.test.secret, baseUrl });
  const { data } = await service.refunds.list();
  const pending = data.items.find(({ status }) => status === "pending");
  await control.failRefund(pending?.id ?? "");
}

async function payThenChangeCart(shopper: Shopper) {
  const cart = await shopper.fillCart("xof", "shea-butter");
  const old = startedPaymentOf(cart.id, await expectOk(shopper.createPaymentSession(cart.id)));
  await shopper.changeQuantity(cart, 3);
  await expectOk(shopper.createPaymentSession(cart.id));
  return old;
}

type Subject = { readonly language: "en" | "fr"; readonly orderId: string };

async function takePictures(chromium: Browser, { medusa, login }: RunningStore, { language, orderId }: Subject) {
  const context = await chromium.newContext({ viewport: { width: 1280, height: 1500 }, locale: language });
  const page = await context.newPage();
  // The admin stores the chosen language here.
  await page.addInitScript(`localStorage.setItem("lng", "${language}")`);
  await page.goto(`${medusa.url}/app/login`);
  await page.locator("input[name=email]").fill(login.email);
  await page.locator("input[name=password]").fill(login.password);
  await page.locator("button[type=submit]").click();
  await page.waitForURL(({ pathname }) => !pathname.endsWith("/login"));

  await page.goto(`${medusa.url}/app/orders/${orderId}`);
  await page.getByRole("heading", { name: WIDGET[language] }).scrollIntoViewIfNeeded();
  await page.getByRole("button", { name: CHECK[language] }).waitFor();
  await takePicture(page, `order-page-${language}`);
  await page.goto(`${medusa.url}/app/tillkit`);
  await page.getByRole("button", { name: CHECK[language] }).first().waitFor();
  await takePicture(page, `payments-${language}`);
}

async function takePicture(page: Page, name: string): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(ANIMATION_MS);
  await page.screenshot({ path: `${FOLDER}/${name}.png` });
}
