import { createServiceClient } from "@tillkit/client";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { checkPage, expectFits } from "./phone.ts";
import type { ShopFixture } from "./shop-fixture.ts";
import { payByCard, payByPhone, pressPay } from "./shopper.ts";

/** Each test runs twice: in French on a phone and in English on a desktop. */
const screens = [
  ["phone", "fr"],
  ["desktop", "en"],
] as const;

/** Tests of the hosted page's states, forms and layout. */
export function hostedPageTests(fixture: ShopFixture): void {
  it.each(screens)(
    "every state of the hosted page is accessible, and fits the screen in both languages (%s, %s)",
    async (screen, language) => {
      const page = await fixture[screen]({ language });
      for (const [state, url] of Object.entries(await pagesInEveryState(fixture))) {
        await page.goto(url);
        await checkPage(page, `hosted-${state}-${screen}-${language}`);
        await page.getByRole("link", { name: /^(Français|English)$/ }).click();
        await expectFits(page, `hosted-${state}-${screen}, in the other language`);
      }
    },
  );

  it("in forced colours the chosen method and a wrong field differ from others by their shape", async () => {
    const page = await fixture.phone({ language: "fr" });
    await page.emulateMedia({ forcedColors: "active" });
    await page.goto(await openSession(fixture));
    const borderOf = async (selector: string) =>
      await page.evaluate(`getComputedStyle(document.querySelector("${selector}")).borderTopWidth`);
    expect(await borderOf("[for=method-wave]")).not.toBe(await borderOf("[for=method-card]"));
    await page.getByRole("radio", { name: "Carte" }).check();
    expect(await borderOf("[for=method-card]")).not.toBe(await borderOf("[for=method-wave]"));
    await pressPay(page);
    await page.getByRole("alert").waitFor();
    expect(await borderOf("#card_number")).not.toBe(await borderOf("#mobile_phone"));
  });

  it.each(screens)(
    "the page shows the card's brand while the shopper types, and one click fills in a test card (%s, %s)",
    async (screen, language) => {
      const page = await fixture[screen]({ language });
      await page.goto(await openSession(fixture));
      await page.getByRole("radio", { name: /^(Carte|Card)/ }).check();
      const number = page.locator("#card_number");
      await number.pressSequentially("5555");
      expect(await page.locator("#card_brand").textContent()).toBe("Mastercard");
      await page.getByText(/^(Mode test|Test mode)$/).click();
      await page.getByRole("button", { name: "4242 4242 4242 4242" }).click();
      expect([await number.inputValue(), await page.locator("#card_brand").textContent()]).toEqual([
        "4242 4242 4242 4242",
        "Visa",
      ]);
      await page.getByLabel(/^(Nom complet|Full name)$/).fill("Awa Diop");
      await page.getByLabel("E-mail").fill("awa@example.test");
      await pressPay(page);
      await page.waitForURL(`${fixture.demo().shopUrl}/cart`);
    },
  );

  it.each(screens)(
    "each error of the form is written once, and its link leads to the field (%s, %s)",
    async (screen, language) => {
      const page = await fixture[screen]({ language, javaScript: false });
      await page.goto(await openSession(fixture));
      await page.getByRole("radio", { name: /^(Carte|Card)/ }).check();
      await pressPay(page);
      const text = ((await page.locator("main").textContent()) ?? "").replace(/\s+/g, " ");
      const errors =
        language === "fr"
          ? ["Indiquez le numéro de la carte.", "Indiquez votre adresse e-mail."]
          : ["Enter the card number.", "Enter your e-mail address."];
      for (const error of errors) {
        const occurrences = text.split(error).length - 1;
        expect(occurrences, error).toBe(1);
      }
      await page.getByRole("alert").getByRole("link", { name: "E-mail" }).click();
      expect(new URL(page.url()).hash).toBe("#email");
      await payByCard(page);
      await page.waitForURL(`${fixture.demo().shopUrl}/cart`);
    },
  );

  it.each(screens)(
    "after a declined card the shop's URL has no fragment, with and without JavaScript (%s, %s)",
    async (screen, language) => {
      for (const javaScript of [true, false]) {
        const page = await fixture[screen]({ language, javaScript });
        await page.goto(await openSession(fixture));
        await payByCard(page, "4000 0000 0000 0002");
        await page
          .getByRole("heading", { name: /^(Le paiement n’a pas abouti|The payment did not go through)$/ })
          .waitFor();
        await payByCard(page);
        await page.waitForURL((url) => url.href.startsWith(fixture.demo().shopUrl));
        expect(page.url()).toBe(`${fixture.demo().shopUrl}/cart`);
      }
    },
  );

  it.each(screens)(
    "a bank's challenge that is refused can be tried again and confirmed (%s, %s)",
    async (screen, language) => {
      const page = await fixture[screen]({ language, javaScript: false });
      await page.goto(await openSession(fixture));
      await payByCard(page, "4000 0025 0000 3155");
      await page.getByRole("button", { name: /^(Refuser|Refuse)$/ }).click();
      await page.getByRole("alert").waitFor();
      await payByCard(page, "4000 0025 0000 3155");
      await page.getByRole("button", { name: /^(Confirmer le paiement|Confirm the payment)$/ }).click();
      await page.waitForURL(`${fixture.demo().shopUrl}/cart`);
    },
  );

  it.each(screens)(
    "a payment that is refused on the phone can be paid another way (%s, %s)",
    async (screen, language) => {
      const page = await fixture[screen]({ language });
      await page.goto(await openSession(fixture));
      await payByPhone(page, "+225 07 00 00 00 02");
      await page
        .getByRole("alert")
        .getByText(/refusé sur le téléphone|refused on the phone/)
        .waitFor();
      await payByPhone(page, "+225 07 00 00 00 03");
      await page.getByRole("link", { name: /^(Payer autrement|Pay another way)$/ }).click();
      await payByCard(page);
      await page.waitForURL(`${fixture.demo().shopUrl}/cart`);
    },
  );

  it("the order's summary stands beside the form on a desktop and above it on a phone", async () => {
    const url = await openSession(fixture);
    const place = async (page: Page) => {
      await page.goto(url);
      const [summary, form] = [
        await page.locator(".top").last().boundingBox(),
        await page.locator("form").boundingBox(),
      ];
      if (summary === null || form === null) throw new Error("The page has no summary or no form.");
      return { beside: summary.x + summary.width <= form.x, above: summary.y + summary.height <= form.y };
    };
    expect(await place(await fixture.desktop())).toMatchObject({ beside: true });
    expect(await place(await fixture.phone())).toEqual({ beside: false, above: true });
  });
}

/** Opens a session of an order in francs that leads back to the shop, and returns the URL of its hosted page. */
async function openSession(fixture: ShopFixture): Promise<string> {
  return (await newSession(fixture)).url;
}

async function newSession({ demo }: ShopFixture) {
  const { sandbox, shopUrl } = demo();
  const client = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
  const returnUrls = { success_url: `${shopUrl}/cart`, cancel_url: `${shopUrl}/cart` };
  const order = { amount: 5500, currency_code: "XOF", title: "1042", description: "2 × Café, 250 g" } as const;
  return (await client.checkoutSessions.create({ ...order, ...returnUrls })).data;
}

/** The URLs of hosted pages, by the state that each page shows. */
async function pagesInEveryState(fixture: ShopFixture): Promise<Record<string, string>> {
  const { control } = fixture.demo().sandbox;
  const [open, failed, waiting, challenged, expired, paid] = await Promise.all(
    Array.from({ length: 6 }, () => newSession(fixture)),
  );
  if (!open || !failed || !waiting || !challenged || !expired || !paid) throw new Error("A session is missing.");
  await control.paySession(failed.id, { method: "wave", outcome: "failed" });
  await control.paySession(waiting.id, { method: "wave", outcome: "pending" });
  const challenge = await control.paySession(challenged.id, { method: "card", outcome: "challenge" });
  await control.expireSession(expired.id);
  await control.paySession(paid.id, { method: "card", outcome: "completed" });
  const urls = { open: open.url, failed: failed.url, waiting: waiting.url, expired: expired.url, paid: paid.url };
  const { url } = challenge.next_action as { url: string };
  return { ...urls, challenge: url, unknown: `${fixture.demo().sandbox.checkoutBaseUrl}/cs_nothing` };
}
