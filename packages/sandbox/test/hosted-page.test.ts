import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { cardForm, heading, inputTag, openBrowser, sessionStatus, withPlainSpaces } from "./open-browser.ts";
import { api, newSession, openSandbox } from "./open-sandbox.ts";

/** The default of the setting `sessionTtlSeconds`. */
const SESSION_LIFETIME_MS = 3_600_000;

describe("the hosted page", () => {
  it("the page shows merchant, title, description and amount in the language of the browser, with a language switch", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox, { description: "Two bags" });
    const french = await openBrowser("fr-FR,fr;q=0.9").open(session.checkout_url);
    expect(french.text).toContain('<html lang="fr">');
    expect(withPlainSpaces(french.text)).toContain("25 000 F CFA");
    for (const text of ["Marché Démo", "Order 1042", "Two bags", "Annuler et retourner à la boutique"]) {
      expect(french.text).toContain(text);
    }
    const englishLink = /<a href="([^"]+)" lang="en"/.exec(french.text)?.[1] ?? "";
    const english = await openBrowser("fr").open(new URL(englishLink, session.checkout_url).href);
    expect(english.text).toContain('<html lang="en">');
    expect(english.text).toContain("Cancel and return to the shop");
    expect(/<form method="post" action="([^"]+)"/.exec(english.text)?.[1]).toContain("lang=en");
  });

  it("the page offers the methods that accept currency and amount", async () => {
    const sandbox = await openSandbox();
    const offered = async (fields: Record<string, unknown>) => {
      const { text } = await openBrowser().open((await newSession(sandbox, fields)).checkout_url);
      return ["wave", "mtn", "card"].filter((method) => text.includes(`id="method-${method}"`));
    };
    expect(await offered({})).toEqual(["wave", "mtn", "card"]);
    expect(await offered({ amount: 1999, currency_code: "USD" })).toEqual(["card"]);
    expect(await offered({ amount: 1999, currency_code: "EUR" })).toEqual(["card"]);
    expect(await offered({ amount: 500 })).toEqual(["wave", "mtn"]);
    await sandbox.control.changeSettings({ mute: ["mtn"] });
    expect(await offered({})).toEqual(["wave", "card"]);
  });

  it.each([
    [{}, ["name", "email", "phone"]],
    [{ require_name: false }, ["email", "phone"]],
    [{ require_email: false }, ["name"]],
    [{ require_email: false, require_phone: true }, ["name", "phone"]],
    [{ require_billing_address: true }, ["name", "email", "phone", "address", "city", "postal_code", "country"]],
    [{ fields: [{ key: "phone", visibility: "hidden" }] }, ["name", "email"]],
  ])("a session with %j asks for %j", async (fields, shown) => {
    const sandbox = await openSandbox();
    const page = await openBrowser().open((await newSession(sandbox, fields)).checkout_url);
    const all = ["name", "email", "phone", "address", "city", "postal_code", "country"];
    expect(all.filter((name) => inputTag(page, name) !== null)).toEqual(shown);
  });

  it("the form is prefilled with the customer's name and phone number from the session", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox, { customer_name: 'Awa "A" Diop', customer_phone: "+2250712345678" });
    const page = await openBrowser().open(session.checkout_url);
    expect(inputTag(page, "name")).toContain('value="Awa &quot;A&quot; Diop"');
    expect(inputTag(page, "mobile_phone")).toContain('value="0712345678"');
    expect(page.text).toContain('<option value="225" selected>+225 Côte d’Ivoire</option>');
  });

  it("the page escapes texts of the merchant", async () => {
    const sandbox = await openSandbox();
    const title = '<img src=x onerror="alert(1)">';
    const { text } = await openBrowser().open((await newSession(sandbox, { title })).checkout_url);
    expect(text).not.toContain("<img");
    expect(text).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;");
  });

  it("the page is one request of at most 14 KB, without caching, framing or foreign scripts", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox, { require_billing_address: true, require_phone: true });
    const { text, headers } = await openBrowser("fr").open(session.checkout_url);
    expect(gzipSync(text).length).toBeLessThan(14 * 1024);
    expect(brotliCompressSync(text).length).toBeLessThan(14 * 1024);
    expect(headers.get("content-encoding")).toMatch(/^(br|gzip)$/);
    expect(text).not.toMatch(/(src|href)="(https?:)?\/\/(?!shop\.example)/);
    expect(text.match(/<h1>/g)).toHaveLength(1);
    expect(headers.get("cache-control")).toBe("no-store");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1];
    expect(text).toContain(`<script nonce="${nonce}">`);
    expect(text).not.toMatch(/ on[a-z]+="| style="/);
  });

  it("an unknown session is a 404 page", async () => {
    const sandbox = await openSandbox();
    for (const path of ["/cs_00000000000000", "/cs_00000000000000/waiting/txn_1", "/x/y/z/w"]) {
      const page = await openBrowser("fr").open(sandbox.checkoutBaseUrl + path);
      expect([page.status, heading(page)]).toEqual([404, "Page de paiement introuvable"]);
    }
  });

  it("every field has a label, and invalid fields are marked", async () => {
    const sandbox = await openSandbox();
    const { checkout_url } = await newSession(sandbox);
    const page = await openBrowser().submit(checkout_url, { method: "card", card_number: "4242", email: "awa" });
    expect(page.status).toBe(422);
    expect(page.text).toContain('id="problem" role="alert"');
    for (const name of ["card_number", "card_expiry", "card_cvc", "name", "email"]) {
      expect(page.text).toContain(`<label for="${name}">`);
      expect(inputTag(page, name)).toContain('aria-invalid="true"');
      expect(inputTag(page, name)).toContain(`${name}-wrong`);
      expect(page.text).toContain(`<a href="#${name}">`);
    }
    expect(inputTag(page, "email")).toContain('value="awa"');
  });

  it("each error is written once on the page", async () => {
    const sandbox = await openSandbox();
    const { checkout_url } = await newSession(sandbox);
    const { text } = await openBrowser().submit(checkout_url, { method: "card", card_number: "4242", email: "awa" });
    const errors = [...text.matchAll(/<p class="wrong"[^>]*>([^<]+)</g)].map(([, error = ""]) => error);
    expect(errors.length).toBeGreaterThan(3);
    for (const error of errors) expect(text.split(error)).toHaveLength(2);
  });

  it("the language of the switch wins over the session's metadata, which wins over the browser's language", async () => {
    const sandbox = await openSandbox();
    const { checkout_url } = await newSession(sandbox, { metadata: { language: "fr" } });
    expect((await openBrowser("en").open(checkout_url)).text).toContain('<html lang="fr">');
    expect((await openBrowser("fr").open(`${checkout_url}?lang=en`)).text).toContain('<html lang="en">');
    const unreadable = await newSession(sandbox, { metadata: { language: ["fr"] } });
    expect((await openBrowser("en").open(unreadable.checkout_url)).text).toContain('<html lang="en">');
  });

  it("the form is sent to an address without a fragment, which browsers would carry to the shop's address", async () => {
    const sandbox = await openSandbox();
    const { checkout_url } = await newSession(sandbox);
    const { text } = await openBrowser().open(checkout_url);
    expect(/<form method="post" action="([^"]+)"/.exec(text)?.[1]).not.toContain("#");
  });
});

describe("the end of a session", () => {
  it("cancelling leads to cancel_url, and the session can still be paid", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    const page = await browser.open(session.checkout_url);
    expect(page.text).toContain('<a href="https://shop.example/cart">');
    expect(await sessionStatus(sandbox, session)).toBe("open");
    await browser.submit(session.checkout_url, cardForm("4242424242424242"));
    expect(await sessionStatus(sandbox, session)).toBe("completed");
  });

  it("a session without cancel_url has no cancel link", async () => {
    const sandbox = await openSandbox();
    const { checkout_url } = await newSession(sandbox, { cancel_url: undefined });
    expect((await openBrowser().open(checkout_url)).text).not.toContain("Cancel and return");
  });

  it("a paid session shows a page with a link to success_url", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    const page = await openBrowser().open(session.checkout_url);
    expect([page.status, heading(page)]).toEqual([200, "Already paid"]);
    expect(page.text).toContain(`href="https://shop.example/return?s=${session.id}"`);
    const late = await openBrowser().submit(session.checkout_url, cardForm("4242424242424242"));
    expect(late.location).toBe(session.checkout_url);
    expect((await api(sandbox, "GET /transactions")).json.total_count).toBe(1);
  });

  it("an expired session shows a page with a link to cancel_url", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    await sandbox.control.advanceClock(SESSION_LIFETIME_MS + 1_000);
    const page = await openBrowser("fr").open(session.checkout_url);
    expect([page.status, heading(page)]).toEqual([200, "Ce lien de paiement a expiré"]);
    expect(page.text).toContain('href="https://shop.example/cart"');
    const late = await openBrowser().submit(session.checkout_url, cardForm("4242424242424242"));
    expect(late.location).toBe(session.checkout_url);
  });
});
