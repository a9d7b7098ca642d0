import { describe, expect, it } from "vitest";
import { cardForm, heading, inputTag, openBrowser, sessionStatus, waveForm } from "./open-browser.ts";
import { api, type Json, newSession, openSandbox } from "./open-sandbox.ts";

describe("paying by card", () => {
  it("a card payment redirects to success_url with the session id", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const paid = await openBrowser().submit(session.checkout_url, cardForm("4242 4242 4242 4242"));
    expect([paid.status, paid.location]).toEqual([303, `https://shop.example/return?s=${session.id}`]);
    const read = (await api(sandbox, `GET /checkout-sessions/${session.id}`)).json;
    expect(read.status).toBe("completed");
    const transaction = (await api(sandbox, `GET /transactions/${read.transaction_id}`)).json;
    expect(transaction).toMatchObject({ status: "completed", provider_code: "CARD", payment_method_code: "CARDS" });
    expect(transaction.customer_id).toBe(read.customer_id);
  });

  it("a card payment without success_url shows a receipt", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox, { success_url: undefined });
    const browser = openBrowser();
    const paid = await browser.submit(session.checkout_url, cardForm("4242424242424242"));
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
  ])("the card %s fails with %s, and the session can be paid again", async (number, code, text) => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    const declined = await browser.submit(session.checkout_url, cardForm(number));
    expect([declined.status, declined.location]).toEqual([303, `${session.checkout_url}#problem`]);
    const page = await browser.open(session.checkout_url);
    expect(page.text).toContain(text);
    expect(page.text).toContain("Nothing was charged.");
    const [transaction] = (await api(sandbox, "GET /transactions")).json.data;
    expect(transaction).toMatchObject({ status: "failed", failure_code: code });
    expect(await sessionStatus(sandbox, session)).toBe("open");
    await browser.submit(session.checkout_url, cardForm("4242424242424242"));
    expect(await sessionStatus(sandbox, session)).toBe("completed");
  });

  it("after a decline, typed values except card fields are kept, in this browser only", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    await browser.submit(session.checkout_url, cardForm("4000000000000002"));
    const again = await browser.open(session.checkout_url);
    expect(inputTag(again, "name")).toContain('value="Awa Diop"');
    expect(again.text).toMatch(/id="method-card" value="card" checked/);
    for (const name of ["card_number", "card_expiry", "card_cvc"]) expect(inputTag(again, name)).toContain('value=""');
    const elsewhere = await openBrowser().open(session.checkout_url);
    expect(elsewhere.text).not.toContain("Awa Diop");
  });

  it("a card number is never stored", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox, { success_url: undefined });
    await openBrowser().submit(session.checkout_url, cardForm("4242424242424242"));
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
  ])("the card number %s is rejected without an attempt", async (number, text) => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const page = await openBrowser().submit(session.checkout_url, cardForm(number));
    expect([page.status, page.text.includes(text)]).toEqual([422, true]);
    expect((await api(sandbox, "GET /transactions")).json.total_count).toBe(0);
  });

  it.each([
    ["01/20", "has expired"],
    ["13/30", "Enter month and year"],
    ["soon", "Enter month and year"],
  ])("the expiry date %s is rejected", async (card_expiry, text) => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const page = await openBrowser().submit(session.checkout_url, cardForm("4242424242424242", { card_expiry }));
    expect([page.status, page.text.includes(text)]).toEqual([422, true]);
  });

  it.each([
    ["4000002500003155", "approve", "completed", null],
    ["4000002500003155", "refuse", "open", "authentication_failed"],
    ["4000008400001629", "approve", "open", "card_declined"],
  ])("the challenge of card %s with answer %s leaves the session %s", async (number, answer, status, code) => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    const challenged = await browser.submit(session.checkout_url, cardForm(number));
    expect(challenged.location).toMatch(/\/challenge\/txn_/);
    const bank = await browser.open(challenged.location ?? "");
    expect(heading(bank)).toBe("Confirm the payment");
    const done = await browser.submit(challenged.location ?? "", { answer });
    expect(await sessionStatus(sandbox, session)).toBe(status);
    const [transaction] = (await api(sandbox, "GET /transactions")).json.data;
    expect(transaction.failure_code ?? null).toBe(code);
    expect(done.location).toContain(code === null ? "https://shop.example/return" : "#problem");
    const twice = await browser.submit(challenged.location ?? "", { answer: "approve" });
    expect(twice.location).toBe(done.location);
  });

  it("concurrent submits make one payment", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    const press = () => browser.submit(session.checkout_url, cardForm("4242424242424242"));
    const pages = await Promise.all([press(), press(), press()]);
    expect(pages.every(({ status }) => status === 303)).toBe(true);
    expect((await api(sandbox, "GET /transactions?status=completed")).json.total_count).toBe(1);
  });
});

describe("paying by mobile money", () => {
  it("mobile money needs an E.164 phone number, also when the session asks for no phone", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox, { require_email: false });
    for (const phone of ["", "07 12 34 56 78"]) {
      const page = await openBrowser().submit(session.checkout_url, {
        name: "Awa",
        method: "mtn",
        mobile_phone: phone,
      });
      expect(page.status).toBe(422);
      expect(inputTag(page, "mobile_phone")).toContain('aria-invalid="true"');
    }
  });

  it("a mobile money payment completes at once", async () => {
    const sandbox = await openSandbox();
    for (const method of ["wave", "mtn"]) {
      const session = await newSession(sandbox);
      const paid = await openBrowser().submit(session.checkout_url, { ...waveForm("+225 07 00 00 01 23"), method });
      expect(paid.location).toContain("https://shop.example/return");
      expect(await sessionStatus(sandbox, session)).toBe("completed");
    }
  });

  it("a number as people write it gets the country that was chosen, and a number with its own code keeps it", async () => {
    const sandbox = await openSandbox();
    for (const [typed, shown, code] of [
      ["77 000 00 02", "77 000 00 02", "221"],
      ["+229 01 97 00 00 02", "01 97 00 00 02", "229"],
      ["+49 151 00 00 00 02", "+49 151 00 00 00 02", ""],
    ] as const) {
      const session = await newSession(sandbox);
      const browser = openBrowser();
      await browser.submit(session.checkout_url, { ...waveForm(typed), mobile_country: "221" });
      const page = await browser.open(session.checkout_url);
      expect(page.text, typed).toContain("The payment was refused on the phone.");
      expect(inputTag(page, "mobile_phone"), typed).toContain(`value="${shown}"`);
      expect(page.text, typed).toContain(`<option value="${code}" selected>`);
    }
  });

  it("a phone number ending in 0001 waits on a reloading page and completes after pendingSeconds", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    const started = await browser.submit(session.checkout_url, waveForm("+2250700000001"));
    expect(started.location).toMatch(/\/waiting\/txn_/);
    const waiting = await browser.open(started.location ?? "");
    expect(waiting.text).toMatch(/<noscript><meta http-equiv="refresh" content="\d+"><\/noscript>/);
    expect(waiting.text).toContain('aria-live="polite"');
    expect(waiting.text).toContain("•••• 0001");
    expect((await browser.open(session.checkout_url)).location).toBe(started.location);
    const state = started.location?.replace("/waiting/", "/state/") ?? "";
    expect((await browser.open(state)).text).toBe('{"state":"pending"}');
    // The default of the setting pendingSeconds is 15.
    await sandbox.control.advanceClock(14_000);
    expect(await sessionStatus(sandbox, session)).toBe("open");
    await sandbox.control.advanceClock(1000);
    expect(await sessionStatus(sandbox, session)).toBe("completed");
    expect((await browser.open(started.location ?? "")).location).toContain("https://shop.example/return");
  });

  it("the waiting page links back to the shop before the payment is final", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    const started = await browser.submit(session.checkout_url, waveForm("+2250700000003"));
    const waiting = await browser.open(started.location ?? "");
    expect(waiting.text).toContain(`href="https://shop.example/return?s=${session.id}"`);
  });

  it("a phone number ending in 0002 fails, and typed values are kept", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    await browser.submit(session.checkout_url, waveForm("+2250700000002"));
    const page = await browser.open(session.checkout_url);
    expect(page.text).toContain("The payment was refused on the phone.");
    expect(inputTag(page, "mobile_phone")).toContain('value="0700000002"');
    const [transaction] = (await api(sandbox, "GET /transactions")).json.data;
    expect(transaction).toMatchObject({ status: "failed", failure_code: "customer_rejected" });
  });

  it("a phone number ending in 0003 stays pending until the session expires", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    const started = await browser.submit(session.checkout_url, waveForm("+2250700000003"));
    // A session lives for 3,600 seconds.
    await sandbox.control.advanceClock(3_500_000);
    expect((await browser.open(started.location ?? "")).status).toBe(200);
    await sandbox.control.advanceClock(200_000);
    const expired = await browser.open(started.location ?? "");
    expect(expired.location).toContain(session.checkout_url);
    expect(heading(await browser.open(session.checkout_url))).toBe("This payment link has expired");
  });

  it("a pending payment can be replaced by another method", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const browser = openBrowser();
    await browser.submit(session.checkout_url, waveForm("+2250700000003"));
    const form = await browser.open(`${session.checkout_url}?other=1`);
    expect(form.text).toContain('<form method="post"');
    await browser.submit(session.checkout_url, cardForm("4242424242424242"));
    const { data } = (await api(sandbox, "GET /transactions")).json;
    expect(data.map(({ status }: Json) => status)).toEqual(["completed", "cancelled"]);
  });

  it("a returning customer is found by e-mail or phone", async () => {
    const sandbox = await openSandbox();
    const customers = new Set<string>();
    for (const fields of [
      waveForm("+2250700000123"),
      { ...waveForm("+2250700000123"), email: "other@example.test" },
      cardForm("4242424242424242"),
    ]) {
      const session = await newSession(sandbox);
      await openBrowser().submit(session.checkout_url, fields);
      customers.add((await api(sandbox, `GET /checkout-sessions/${session.id}`)).json.customer_id);
    }
    expect(customers.size).toBe(1);
  });
});
