import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Sandbox } from "../src/index.ts";
import { api, type Json, newSession, openSandbox } from "./open-sandbox.ts";

type Page = { status: number; location: string | null; text: string; headers: Headers };

/** A browser without JavaScript: it keeps cookies, and goes to no other address by itself. */
function openBrowser(language = "en") {
  let cookie = "";
  async function ask(url: string, init: RequestInit = {}): Promise<Page> {
    const headers = { "Accept-Language": language, ...(cookie === "" ? {} : { Cookie: cookie }) };
    const answer = await fetch(url, { ...init, headers, redirect: "manual" });
    const set = answer.headers.get("set-cookie")?.split(";")[0];
    if (set !== undefined) cookie = set;
    const location = answer.headers.get("location");
    return {
      status: answer.status,
      location: location && new URL(location, url).href,
      text: await answer.text(),
      headers: answer.headers,
    };
  }
  return {
    open: (url: string) => ask(url),
    submit: (url: string, fields: Record<string, string>) =>
      ask(url, { method: "POST", body: new URLSearchParams(fields) }),
  };
}

const shopper = { name: "Awa Diop", email: "awa@example.test" };
const card = (number: string, more: Record<string, string> = {}) => ({
  ...shopper,
  method: "card",
  card_number: number,
  card_expiry: "12/39",
  card_cvc: "123",
  ...more,
});
const wave = (phone: string) => ({ ...shopper, method: "wave", mobile_phone: phone });

const statusOf = async (sandbox: Sandbox, session: Json) =>
  (await api(sandbox, `GET /checkout-sessions/${session.id}`)).json.status;

/** The attributes of an input, or null when the page has none of this name. */
const input = (page: Page, name: string) => new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(page.text)?.[0] ?? null;
const heading = (page: Page) => /<h1>(.*?)<\/h1>/.exec(page.text)?.[1];
const plain = (text: string) => text.replace(/\s/g, " ");

describe("the hosted page", () => {
  it("shows merchant, title, description and amount, in the language of the browser, with a switch", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox, { description: "Two bags" });
    const french = await openBrowser("fr-FR,fr;q=0.9").open(session.checkout_url);
    expect(french.text).toContain('<html lang="fr">');
    expect(plain(french.text)).toContain("25 000 F CFA");
    for (const text of ["Marché Démo", "Order 1042", "Two bags", "Annuler et revenir à la boutique"]) {
      expect(french.text).toContain(text);
    }
    const switched = /<a href="([^"]+)" lang="en"/.exec(french.text)?.[1] ?? "";
    const english = await openBrowser("fr").open(new URL(switched, session.checkout_url).href);
    expect(english.text).toContain('<html lang="en">');
    expect(english.text).toContain("Cancel and return to the shop");
    expect(/<form method="post" action="([^"]+)"/.exec(english.text)?.[1]).toContain("lang=en");
  });

  it("offers the methods that take the currency and the amount", async () => {
    const sandbox = await openSandbox();
    const offered = async (fields: Record<string, unknown>) => {
      const { text } = await openBrowser().open((await newSession(sandbox, fields)).checkout_url);
      return ["wave", "mtn", "card"].filter((method) => text.includes(`id="m-${method}"`));
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
  ])("asks, for %j, for %j", async (fields, shown) => {
    const sandbox = await openSandbox();
    const page = await openBrowser().open((await newSession(sandbox, fields)).checkout_url);
    const all = ["name", "email", "phone", "address", "city", "postal_code", "country"];
    expect(all.filter((name) => input(page, name) !== null)).toEqual(shown);
  });

  it("fills in what the merchant knows, without changing which fields are shown", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox, { customer_name: 'Awa "A" Diop', customer_phone: "+2250712345678" });
    const page = await openBrowser().open(session.checkout_url);
    expect(input(page, "name")).toContain('value="Awa &quot;A&quot; Diop"');
    expect(input(page, "mobile_phone")).toContain('value="+2250712345678"');
  });

  it("escapes what the merchant wrote", async () => {
    const sandbox = await openSandbox();
    const title = '<img src=x onerror="alert(1)">';
    const { text } = await openBrowser().open((await newSession(sandbox, { title })).checkout_url);
    expect(text).not.toContain("<img");
    expect(text).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;");
  });

  it("is one request of at most 14 KB, is kept by no cache, framed by nobody, and runs nothing from elsewhere", async () => {
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

  it("answers 404 with a page for an address that no session has", async () => {
    const sandbox = await openSandbox();
    for (const path of ["/cs_00000000000000", "/cs_00000000000000/waiting/txn_1", "/x/y/z/w"]) {
      const page = await openBrowser("fr").open(sandbox.checkoutBaseUrl + path);
      expect([page.status, heading(page)]).toEqual([404, "Page de paiement introuvable"]);
    }
  });

  it("puts a label on every field and marks the wrong ones", async () => {
    const sandbox = await openSandbox();
    const { checkout_url } = await newSession(sandbox);
    const page = await openBrowser().submit(checkout_url, { method: "card", card_number: "4242", email: "awa" });
    expect(page.status).toBe(422);
    expect(page.text).toContain('id="problem" role="alert"');
    for (const name of ["card_number", "card_expiry", "card_cvc", "name", "email"]) {
      expect(page.text).toContain(`<label for="${name}">`);
      expect(input(page, name)).toContain('aria-invalid="true"');
      expect(input(page, name)).toContain(`${name}-wrong`);
      expect(page.text).toContain(`<a href="#${name}">`);
    }
    expect(input(page, "email")).toContain('value="awa"');
  });
});

describe("paying by card", () => {
  it("sends the browser to success_url with the session's id in it", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const paid = await openBrowser().submit(session.checkout_url, card("4242 4242 4242 4242"));
    expect([paid.status, paid.location]).toEqual([303, `https://shop.example/return?s=${session.id}`]);
    const read = (await api(sandbox, `GET /checkout-sessions/${session.id}`)).json;
    expect(read.status).toBe("completed");
    const transaction = (await api(sandbox, `GET /transactions/${read.transaction_id}`)).json;
    expect(transaction).toMatchObject({ status: "completed", provider_code: "CARD", payment_method_code: "CARDS" });
    expect(transaction.customer_id).toBe(read.customer_id);
  });

  it("shows a receipt when the merchant named no success_url", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox, { success_url: undefined });
    const browser = openBrowser();
    const paid = await browser.submit(session.checkout_url, card("4242424242424242"));
    expect(paid.location).toBe(session.checkout_url);
    const receipt = await browser.open(session.checkout_url);
    expect(heading(receipt)).toBe("Payment received");
    expect(receipt.text).toMatch(/txn_[2-9A-Z]{14}/);
    expect(receipt.text).toContain("Card •••• 4242");
  });

  it.each([
    ["4000 0000 0000 0002", "card_declined", "Your bank declined the card."],
    ["4000 0000 0000 9995", "insufficient_funds", "insufficient funds"],
    ["4000 0000 0000 0069", "expired_card", "The card has expired."],
    ["4000 0000 0000 0127", "incorrect_cvc", "The security code is incorrect."],
    ["4000 0000 0000 0119", "processing_error", "could not be processed"],
  ])("%s fails with %s, says so, and can be tried again", async (number, code, text) => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    const declined = await browser.submit(session.checkout_url, card(number));
    expect([declined.status, declined.location]).toEqual([303, `${session.checkout_url}#problem`]);
    const page = await browser.open(session.checkout_url);
    expect(page.text).toContain(text);
    expect(page.text).toContain("Nothing was charged.");
    const [transaction] = (await api(sandbox, "GET /transactions")).json.data;
    expect(transaction).toMatchObject({ status: "failed", failure_code: code });
    expect(await statusOf(sandbox, session)).toBe("open");
    await browser.submit(session.checkout_url, card("4242424242424242"));
    expect(await statusOf(sandbox, session)).toBe("completed");
  });

  it("keeps what was typed after a decline in this browser only, and never the card", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    await browser.submit(session.checkout_url, card("4000000000000002"));
    const again = await browser.open(session.checkout_url);
    expect(input(again, "name")).toContain('value="Awa Diop"');
    expect(again.text).toMatch(/id="m-card" value="card" checked/);
    for (const name of ["card_number", "card_expiry", "card_cvc"]) expect(input(again, name)).toContain('value=""');
    const elsewhere = await openBrowser().open(session.checkout_url);
    expect(elsewhere.text).not.toContain("Awa Diop");
  });

  it("never stores a card number", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox, { success_url: undefined });
    await openBrowser().submit(session.checkout_url, card("4242424242424242"));
    const everything = [
      await sandbox.control.listEvents(),
      sandbox.control.listRequests(),
      (await api(sandbox, "GET /transactions")).json,
      (await openBrowser().open(session.checkout_url)).text,
      await (await fetch(sandbox.consoleUrl)).text(),
    ];
    expect(JSON.stringify(everything)).not.toMatch(/4242 ?4242/);
  });

  it.each([
    ["4242424242424241", "not correct"],
    ["5555555555554444", "only test cards work"],
  ])("refuses %s without an attempt", async (number, text) => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const page = await openBrowser().submit(session.checkout_url, card(number));
    expect([page.status, page.text.includes(text)]).toEqual([422, true]);
    expect((await api(sandbox, "GET /transactions")).json.total_count).toBe(0);
  });

  it.each([
    ["01/20", "has expired"],
    ["13/30", "Enter month and year"],
    ["soon", "Enter month and year"],
  ])("refuses the expiry date %s", async (card_expiry, text) => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const page = await openBrowser().submit(session.checkout_url, card("4242424242424242", { card_expiry }));
    expect([page.status, page.text.includes(text)]).toEqual([422, true]);
  });

  it.each([
    ["4000002500003155", "approve", "completed", null],
    ["4000002500003155", "refuse", "open", "authentication_failed"],
    ["4000008400001629", "approve", "open", "card_declined"],
  ])("%s asks the bank; %s leaves the session %s", async (number, answer, status, code) => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    const challenged = await browser.submit(session.checkout_url, card(number));
    expect(challenged.location).toMatch(/\/challenge\/txn_/);
    const bank = await browser.open(challenged.location ?? "");
    expect(heading(bank)).toBe("Confirm the payment");
    const done = await browser.submit(challenged.location ?? "", { answer });
    expect(await statusOf(sandbox, session)).toBe(status);
    const [transaction] = (await api(sandbox, "GET /transactions")).json.data;
    expect(transaction.failure_code ?? null).toBe(code);
    expect(done.location).toContain(code === null ? "https://shop.example/return" : "#problem");
    const twice = await browser.submit(challenged.location ?? "", { answer: "approve" });
    expect(twice.location).toBe(done.location);
  });

  it("makes one payment of two presses at once", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    const press = () => browser.submit(session.checkout_url, card("4242424242424242"));
    const pages = await Promise.all([press(), press(), press()]);
    expect(pages.every(({ status }) => status === 303)).toBe(true);
    expect((await api(sandbox, "GET /transactions?status=completed")).json.total_count).toBe(1);
  });
});

describe("paying by mobile money", () => {
  it("needs a telephone number in E.164, even when the telephone is not asked for", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox, { require_email: false });
    for (const phone of ["", "07 12 34 56 78"]) {
      const page = await openBrowser().submit(session.checkout_url, {
        name: "Awa",
        method: "mtn",
        mobile_phone: phone,
      });
      expect(page.status).toBe(422);
      expect(input(page, "mobile_phone")).toContain('aria-invalid="true"');
    }
  });

  it("completes at once", async () => {
    const sandbox = await openSandbox();
    for (const method of ["wave", "mtn"]) {
      const session = await newSession(sandbox);
      const paid = await openBrowser().submit(session.checkout_url, { ...wave("+225 07 00 00 01 23"), method });
      expect(paid.location).toContain("https://shop.example/return");
      expect(await statusOf(sandbox, session)).toBe("completed");
    }
  });

  it("ending in 0001 waits on a page that reloads itself, and completes after pendingSeconds", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    const started = await browser.submit(session.checkout_url, wave("+2250700000001"));
    expect(started.location).toMatch(/\/waiting\/txn_/);
    const waiting = await browser.open(started.location ?? "");
    expect(waiting.text).toMatch(/<noscript><meta http-equiv="refresh" content="\d+"><\/noscript>/);
    expect(waiting.text).toContain('aria-live="polite"');
    expect(waiting.text).toContain("•••• 0001");
    expect((await browser.open(session.checkout_url)).location).toBe(started.location);
    const state = started.location?.replace("/waiting/", "/state/") ?? "";
    expect((await browser.open(state)).text).toBe('{"state":"pending"}');
    await sandbox.control.advanceClock(14_000);
    expect(await statusOf(sandbox, session)).toBe("open");
    await sandbox.control.advanceClock(1000);
    expect(await statusOf(sandbox, session)).toBe("completed");
    expect((await browser.open(started.location ?? "")).location).toContain("https://shop.example/return");
  });

  it("lets the browser go back to the shop before the payment is final", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    const started = await browser.submit(session.checkout_url, wave("+2250700000003"));
    const waiting = await browser.open(started.location ?? "");
    expect(waiting.text).toContain(`href="https://shop.example/return?s=${session.id}"`);
  });

  it("ending in 0002 fails, and what was typed is kept", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    await browser.submit(session.checkout_url, wave("+2250700000002"));
    const page = await browser.open(session.checkout_url);
    expect(page.text).toContain("The payment was refused on the phone.");
    expect(input(page, "mobile_phone")).toContain("+2250700000002");
    const [transaction] = (await api(sandbox, "GET /transactions")).json.data;
    expect(transaction).toMatchObject({ status: "failed", failure_code: "customer_rejected" });
  });

  it("ending in 0003 stays pending until the session expires", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    const started = await browser.submit(session.checkout_url, wave("+2250700000003"));
    await sandbox.control.advanceClock(3_500_000);
    expect((await browser.open(started.location ?? "")).status).toBe(200);
    await sandbox.control.advanceClock(200_000);
    const left = await browser.open(started.location ?? "");
    expect(left.location).toContain(session.checkout_url);
    expect(heading(await browser.open(session.checkout_url))).toBe("This payment link has expired");
  });

  it("can be given up for another way to pay", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    await browser.submit(session.checkout_url, wave("+2250700000003"));
    const form = await browser.open(`${session.checkout_url}?other=1`);
    expect(form.text).toContain('<form method="post"');
    await browser.submit(session.checkout_url, card("4242424242424242"));
    const { data } = (await api(sandbox, "GET /transactions")).json;
    expect(data.map(({ status }: Json) => status)).toEqual(["completed", "cancelled"]);
  });

  it("finds a customer again by e-mail or telephone", async () => {
    const sandbox = await openSandbox();
    const customers = new Set<string>();
    for (const fields of [
      wave("+2250700000123"),
      { ...wave("+2250700000123"), email: "other@example.test" },
      card("4242424242424242"),
    ]) {
      const session = await newSession(sandbox);
      await openBrowser().submit(session.checkout_url, fields);
      customers.add((await api(sandbox, `GET /checkout-sessions/${session.id}`)).json.customer_id);
    }
    expect(customers.size).toBe(1);
  });
});

describe("the end of a session", () => {
  it("by cancel is none: the link leads to cancel_url and the session can still be paid", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    const page = await browser.open(session.checkout_url);
    expect(page.text).toContain('<a href="https://shop.example/cart">');
    expect(await statusOf(sandbox, session)).toBe("open");
    await browser.submit(session.checkout_url, card("4242424242424242"));
    expect(await statusOf(sandbox, session)).toBe("completed");
  });

  it("shows no cancel link when there is no cancel_url", async () => {
    const sandbox = await openSandbox();
    const { checkout_url } = await newSession(sandbox, { cancel_url: undefined });
    expect((await openBrowser().open(checkout_url)).text).not.toContain("Cancel and return");
  });

  it("shows a page to whoever opens a paid session, with the way to success_url", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    const page = await openBrowser().open(session.checkout_url);
    expect([page.status, heading(page)]).toEqual([200, "Already paid"]);
    expect(page.text).toContain(`href="https://shop.example/return?s=${session.id}"`);
    const late = await openBrowser().submit(session.checkout_url, card("4242424242424242"));
    expect(late.location).toBe(session.checkout_url);
    expect((await api(sandbox, "GET /transactions")).json.total_count).toBe(1);
  });

  it("shows a page to whoever opens an expired session, with the way to cancel_url", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    await sandbox.control.advanceClock(3_601_000);
    const page = await openBrowser("fr").open(session.checkout_url);
    expect([page.status, heading(page)]).toEqual([200, "Ce lien de paiement a expiré"]);
    expect(page.text).toContain('href="https://shop.example/cart"');
    const late = await openBrowser().submit(session.checkout_url, card("4242424242424242"));
    expect(late.location).toBe(session.checkout_url);
  });
});
