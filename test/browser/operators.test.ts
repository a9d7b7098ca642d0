import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Ledger, type StoreAdapter, silentLog, systemClock } from "@tillkit/core";
import { type CheckoutServer, createCheckoutServer } from "@tillkit/server";
import express from "express";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PATIENCE_MS } from "../waiting/patience.ts";
import { addDeadJob, connectShops, LONG, longDispute, openBusyLedger, transactionsOf } from "./busy-ledger.ts";
import { walkByKeyboard } from "./keyboard.ts";
import { type PaymentService, startPaymentService } from "./payment-service.ts";
import {
  checkPage,
  expectFits,
  expectStateWithoutColour,
  openBrowser,
  openDesktop,
  openPhone,
  savePicture,
  whyNoBrowser,
} from "./phone.ts";

const skipReason = whyNoBrowser();
const TOKEN = "the token of these operators, long enough";
const title = `The operators' pages${skipReason === null ? "" : ` (skipped: ${skipReason})`}`;

describe.skipIf(skipReason !== null)(title, () => {
  let browser: Browser;
  let server: Server;
  let checkout: CheckoutServer;
  let service: PaymentService;
  let ledger: Ledger;
  let url: string;
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    service = await startPaymentService(
      () => `${url}/hooks/service/boutique-test`,
      () => transactionsOf(ledger),
    );
    ledger = await openBusyLedger(Date.now());
    checkout = createCheckoutServer({
      publicUrl: url,
      keys: ["a key of this merchant that is long enough"],
      ledger,
      stores: { boutique: shop, "marche-en-ligne": shop },
      credentials: [
        {
          storeIds: ["boutique", "marche-en-ligne"],
          apiKey: "svc_sk_test_0123456789abcdefghijklmnopqrstuv",
          id: "key_0123456789ab",
          baseUrl: service.baseUrl,
          endpointId: "boutique-test",
          webhookSecrets: ["whsec_1"],
        },
      ],
      operators: { tokens: [TOKEN] },
      selfService: await connectShops(ledger, systemClock),
      clock: systemClock,
      log: silentLog,
    });
    // Failed calls for three payments open the shop's circuit breaker, which the overview shows.
    for (const paymentId of ["one", "two", "three"])
      checkout.engine.circuitBreakers.record("store:boutique", paymentId, false);
    server.on("request", express().use(checkout.router));
  });

  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });

  afterAll(async () => {
    await browser?.close();
    await checkout?.close();
    await service?.close();
    server?.close();
  });

  async function open(newContext: Promise<BrowserContext>): Promise<Page> {
    const context = await newContext;
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`${url}/operators`);
    return page;
  }

  async function logIn(page: Page): Promise<void> {
    await page.locator("#token").fill(TOKEN);
    await page.locator("main button").click();
    await page.locator("nav.sections").waitFor();
  }

  const PAGES: readonly [name: string, path: string][] = [
    ["overview", ""],
    ["payments", "/payments"],
    ["held", "/payments/p-0000"],
    ["accept", "/payments/p-0000/accept"],
    ["refund", "/payments/p-0003/refund"],
    ["paid-twice", "/payments/p-0003"],
    ["paid", "/payments/p-0015"],
    ["refund-part", "/payments/p-0015/refund"],
    ["refund-result", "/payments/p-0014/refund/result?key=store%20p-0014"],
    ["dispute-outcome", "/payments/p-0013/dispute?dispute=d-late"],
    ["transaction", "/payments/p-0015/transaction"],
    ["refunds", "/refunds"],
    ["figures-90-days", "/test?period=90d"],
    ["filtered", "/test/payments?method=WAVE&least=5000&currency=XOF"],
    ["technical", "/technical"],
    ["menu", "/menu"],
    ["find", "/find"],
    ["found-in-test", "/live/find?q=1054"],
    ["unreadable", "/refunds?after=nonsense"],
    ["time-zone", "/time-zone"],
    ["disputes", "/disputes"],
    ["disputed", "/payments/p-0012"],
    ["found", "/find?q=1044"],
    ["found-nothing", "/find?q=nothing"],
    ["webhooks", "/deliveries"],
    ["orphans", "/deliveries?outcome=orphan"],
    ["dead-letter-jobs", "/dead"],
    ["endpoints", "/endpoints"],
    ["endpoint", "/endpoints/boutique-test"],
    ["export", "/export"],
    ["settlement-empty", "/settlement?from=2020-01-01&until=2020-01-02"],
    ["settlement", `/settlement?from=${dayText(-8)}&until=${dayText(0)}`],
    ["acts", "/acts"],
    ["shops", "/shops"],
    ["no-page", "/nowhere"],
  ];

  it("the operators' pages are accessible and fit a phone in French", async () => {
    const page = await open(openPhone(browser));
    await checkPage(page, "operators-fr-login");
    await logIn(page);
    for (const [name, path] of PAGES) {
      await page.goto(`${url}/operators${path}`);
      await checkPage(page, `operators-fr-${name}`);
    }
    await page.goto(`${url}/operators/payments/p-0000`);
    await walkByKeyboard(page, 10);
    expect(await page.locator("html").getAttribute("lang")).toBe("fr");
  });

  /** Fills the first step of a refund and stops at its confirmation. */
  async function previewRefund(page: Page, paymentId = "p-0015"): Promise<void> {
    await page.goto(`${url}/operators/payments/${paymentId}/refund`);
    await page.locator("#amount").fill("2 500");
    await page.locator("#reason").selectOption("requested_by_customer");
    await page.locator("#by").fill("Adjoua");
    await page.locator("main form button").click();
    await page.locator(".sums").waitFor();
  }

  it("the confirmation of a refund is accessible and fits a phone in French and a desktop in English", async () => {
    for (const [language, context] of [
      ["fr", openPhone(browser, { width: 320 })],
      ["en", openDesktop(browser)],
    ] as const) {
      const page = await open(context);
      await logIn(page);
      await previewRefund(page);
      await checkPage(page, `operators-${language}-refund-preview`);
      await page.goto(`${url}/operators/payments/p-0015`);
      await page.getByRole("link", { name: /Voir son contenu|Show its content/ }).click();
      await checkPage(page, `operators-${language}-webhook-body`);
    }
  });

  const DEVICES: readonly [
    device: string,
    language: string,
    newContext: () => Promise<BrowserContext>,
    paidId: string,
  ][] = [
    ["on a phone in French", "fr", () => openPhone(browser, { javaScript: false }), "p-0018"],
    ["on a desktop in English", "en", () => openDesktop(browser, { javaScript: false }), "p-0021"],
  ];

  it.each(DEVICES)(
    "an operator without JavaScript can refund, retry jobs, test an endpoint, export and read the log of acts %s",
    async (_, language, newContext, paidId) => {
      for (const paymentId of ["p-0010", "p-0011", "p-0012"])
        await addDeadJob(
          ledger,
          paymentId,
          { code: "reconnect", message: "The shop refused our connection." },
          Date.now(),
        );
      const page = await open(newContext());
      await logIn(page);
      await previewRefund(page, paidId);
      await page.locator("main form button").click();
      await expectNotice(page, /remboursé|refunded/);
      await savePicture(page, `operators-${language}-refunded`);

      await page.goto(`${url}/operators/dead`);
      await page
        .getByRole("button", { name: /^(Relancer|Retry)$/ })
        .first()
        .click();
      await expectNotice(page, /relancée|tried again/);
      await page.getByRole("button", { name: /Tout relancer|Retry all/ }).click();
      await expectNotice(page, /relancée|tried again/);
      expect((await ledger.listJobs({ dead: true, limit: 9 })).rows).toEqual([]);

      await page.goto(`${url}/operators/endpoints`);
      await page.getByRole("button", { name: /Tester|Test/ }).click();
      await expectNotice(page, /signature/);
      await page.getByRole("link", { name: /Ce que le service indique|What the service reports/ }).click();
      await page.getByText(/2 échecs sur les 3 derniers envois|2 of the newest 3 attempts failed/).waitFor();

      await page.goto(`${url}/operators/export`);
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: /Télécharger|Download/ }).click();
      expect((await download).suggestedFilename()).toMatch(/\.csv$/);

      await page.goto(`${url}/operators/acts`);
      const acts = (await page.locator("main").textContent()) ?? "";
      for (const act of [
        /Remboursement|Refunded/,
        /Relance d’une tâche demandée|Asked to retry a job/,
        /Fichier téléchargé|Downloaded a file/,
      ])
        expect(acts).toMatch(act);
    },
  );

  async function expectNotice(page: Page, text: RegExp): Promise<void> {
    await page.locator("[role=status]", { hasText: text }).waitFor();
  }

  it.each(["fr", "en"] as const)("an owner's pages are accessible and fit a phone (%s)", async (language) => {
    const page = await open(openPhone(browser, { language }));
    const owner = { storeId: "marche-en-ligne", role: "owner", user: "7" } as const;
    await page.goto(String(await checkout.ownerLoginLink?.(owner, `request ${language}`)));
    for (const path of ["", "/payments/p-0001", "/menu"]) {
      await page.goto(`${url}/operators/live${path}`);
      await checkPage(page, `owner-of-shop-${language}${path.replaceAll("/", "-")}`);
    }
  });

  it("the operators' pages fit the smallest phone, tablets and small laptops", async () => {
    const page = await open(openPhone(browser, { width: 320 }));
    await logIn(page);
    for (const [name, path] of PAGES) {
      await page.goto(`${url}/operators${path}`);
      await savePicture(page, `operators-320-${name}`);
      for (const width of [768, 1_024, 1_280, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await expectFits(page, `${name} at ${width} px`);
      }
    }
  });

  it("the operators' pages are accessible and fit a desktop in English", async () => {
    const page = await open(openDesktop(browser));
    await checkPage(page, "operators-en-login");
    await logIn(page);
    for (const [name, path] of PAGES) {
      await page.goto(`${url}/operators${path}`);
      await checkPage(page, `operators-en-${name}`);
    }
    expect(await page.locator("html").getAttribute("lang")).toBe("en");
  });

  it("the chosen section, mode, period and list differ from the others in forced colours", async () => {
    const page = await open(openDesktop(browser));
    await logIn(page);
    for (const list of [".sections", ".modes", ".chips"])
      await expectStateWithoutColour(page, `${list} a[aria-current]`, `${list} a:not([aria-current])`);
    await page.goto(`${url}/operators/technical`);
    await expectStateWithoutColour(page, ".tabs a[aria-current]", ".tabs a:not([aria-current])");
  });

  it.each(["fr", "en"] as const)("the operators' pages can be read in the dark (%s)", async (language) => {
    const page = await open(openDesktop(browser, { language }));
    await page.emulateMedia({ colorScheme: "dark" });
    await logIn(page);
    for (const [name, path] of PAGES.slice(0, 6)) {
      await page.goto(`${url}/operators${path}`);
      await checkPage(page, `operators-${language}-${name}-dark`);
    }
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(`${url}/operators`);
    await savePicture(page, `operators-${language}-overview-light`);
  });

  it("search, older rows, filters, the modes, language and logout work on a phone without JavaScript", async () => {
    const page = await open(openPhone(browser, { javaScript: false }));
    await logIn(page);
    await page.getByRole("link", { name: "Rechercher" }).click();
    await page.locator("#find").fill("1047");
    await page.locator(".find button").click();
    await page.getByRole("heading", { name: "Commande 1047" }).waitFor();
    await page.goto(`${url}/operators/deliveries`);
    await page.getByRole("link", { name: "Plus anciens" }).click();
    await page.getByRole("link", { name: "Revenir aux plus récents" }).waitFor();
    await page.goto(`${url}/operators/live`);
    await page.getByRole("link", { name: "Test", exact: true }).click();
    await page.getByRole("link", { name: "1 contestation ouverte" }).first().click();
    await page.getByRole("link", { name: "1054" }).click();
    await page.getByText("le service retient ce montant jusqu’à la décision").waitFor();
    await previewRefund(page);
    // 1,500 is left beside the dispute, so more needs a second step.
    await page.getByRole("button", { name: "Rembourser tout de même …" }).click();
    await page.getByRole("heading", { name: "Rembourser 2 500 F CFA ?" }).waitFor();
    await page.goto(`${url}/operators/time-zone`);
    await page.locator("#zone").selectOption("Africa/Abidjan");
    await page.getByRole("button", { name: "Utiliser ce fuseau" }).click();
    await page.getByRole("link", { name: "Plus", exact: true }).click();
    await page.getByRole("link", { name: "Fuseau horaire Africa/Abidjan", exact: true }).waitFor();
    await page.goto(`${url}/operators/test/payments?method=CARD`);
    await page.getByRole("link", { name: "Retirer le filtre Payé par Carte" }).click();
    expect(new URL(page.url()).pathname).toBe("/operators/test/payments");
    await page.getByRole("link", { name: "Plus", exact: true }).click();
    await page.getByRole("link", { name: "English" }).click();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("heading", { name: "For operators" }).waitFor();
    await page.goto(`${url}/operators/payments`);
    await page.getByRole("heading", { name: "For operators" }).waitFor();
  });

  it("keys search, walk through a list and open a payment, until an operator switches them off", async () => {
    const page = await open(openDesktop(browser));
    await logIn(page);
    await page.goto(`${url}/operators/live/payments`);
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.id")).toBe("q");
    await page.keyboard.type("j/k");
    expect(await page.locator("#q").inputValue()).toBe("j/k");
    await page.locator("h1").click();
    for (const key of ["j", "j", "k", "j"]) await page.keyboard.press(key);
    const second = await page.locator(".list tbody a.open").nth(1).getAttribute("href");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${url}${second}`);
    await page.getByRole("link", { name: "Shortcuts: on" }).click();
    await page.getByRole("link", { name: "Shortcuts: off" }).waitFor();
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.id")).toBe("");
  });

  it("chosen payments are downloaded as one file", async () => {
    const page = await open(openDesktop(browser));
    await logIn(page);
    await page.goto(`${url}/operators/test/payments`);
    for (const index of [0, 2]) await page.locator(".list input[type=checkbox]").nth(index).check();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the chosen payments (CSV)" }).click();
    expect((await download).suggestedFilename()).toBe("payments-test-chosen.csv");
  });

  it("long names and large amounts never make a page wider than a phone", async () => {
    const sample = await ledger.find({ id: "p-0015" });
    if (!sample) throw new Error("There is no payment.");
    const amount = { minor: 123_456_789, currency: "XOF" };
    const ref = { storeId: LONG, orderId: `gid://shop/Order/${LONG}` };
    const next = { ...sample, id: `long-${LONG.slice(50)}`, ref, orderNumber: LONG, attempt: "", transactionId: LONG };
    const long = {
      ...next,
      version: 1,
      session: null,
      reference: "long",
      createdAt: Date.now(),
      state: "review",
    } as const;
    const finding = { code: "amount_differs", expected: amount, found: { ...amount, minor: 1 } } as const;
    await ledger.commit({
      payment: { next: { ...long, amountDue: amount, amountReceived: amount, finding }, expect: "new" },
      disputes: [longDispute(next.id, Date.now())],
      timeline: [],
    });
    const page = await open(openPhone(browser, { width: 320 }));
    await logIn(page);
    for (const path of ["", "/payments", `/payments/${next.id}`, `/payments/${next.id}/refund`, "/disputes"]) {
      await page.goto(`${url}/operators/live${path}`);
      await page.locator("h1").waitFor();
      await savePicture(page, `operators-long-${path.replaceAll(/\W|x{9,}/g, "")}`);
    }
  });
});

/** The date so many days from today, as `2026-01-31`. */
function dayText(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

const shop: StoreAdapter = {
  platform: "none",
  writes: { kind: "conditional" },
  findOrder: async () => null,
  markPaid: async () => ({ outcome: "gone" }),
  holdForReview: async () => undefined,
  shopperUrl: async () => "https://shop.example/",
};
