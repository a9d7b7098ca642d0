import { confirmPayment } from "@tillkit/core";
import { createSignedTokens } from "@tillkit/runtime";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { receiptNumber } from "../src/pages/receipt-number.ts";
import type { LinkPurpose } from "../src/shopper/link-tokens.ts";
import { LINK_KEY, loggedSecrets, type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";

let merchant: MerchantFixture;
beforeEach(async () => {
  merchant = await openMerchant();
});
afterEach(() => merchant.close());
afterEach(() => expect(loggedSecrets(merchant)).toEqual([]));

/** A session lasts one hour. A pay link opens a new session when this much of the hour is over. */
const SESSION_NEARLY_OVER_MS = 55 * 60_000;

function linkOf(purpose: LinkPurpose, paymentId: string): string {
  return `/${purpose}/${createSignedTokens<LinkPurpose>([LINK_KEY], merchant.clock).sign(purpose, paymentId)}`;
}

/** The address in an attribute of the page, resolved against `path`. */
function linkIn(page: string, pattern: RegExp, path: string): string {
  const found = pattern.exec(page)?.[1]?.replaceAll("&amp;", "&");
  if (found === undefined) throw new Error(`The page has no ${pattern}.`);
  const { pathname, search } = new URL(found, `${merchant.url}${path}`);
  return pathname + search;
}

/** The address that the page asks, without what it shows: then the answer is not held. */
const STATUS = /data-status-url="([^"]+)&amp;shown=[a-z]+"/;
const HELD_STATUS = /data-status-url="([^"]+)"/;
const NEXT = /data-next-url="([^"]+)"/;

describe("a shopper who comes back from the hosted page", () => {
  test("a returning shopper whose payment arrived is redirected to the shop's order page", async () => {
    const { paymentId, returnPath } = await merchant.startPayment();
    merchant.service.newest().status = "completed";
    const answer = await merchant.get(returnPath);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("https://boutique.example/orders/1042?paid");
    expect(merchant.shop.writes).toEqual([`paid by ${paymentId}`]);
  });

  test("a shopper who returns in another browser is redirected too, without a cookie", async () => {
    const { returnPath } = await merchant.startPayment();
    merchant.service.newest().status = "completed";
    const answer = await merchant.get(returnPath, { headers: { "user-agent": "Another/1.0" } });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  test("a shopper who returns before the payment waits on a page that updates itself", async () => {
    const { returnPath } = await merchant.startPayment();
    const page = await (await merchant.get(returnPath)).text();
    expect(page).toContain("Votre paiement est en cours de confirmation");
    const status = linkIn(page, STATUS, returnPath);
    expect(await (await merchant.get(status)).json()).toMatchObject({ status: "waiting" });

    merchant.service.newest().status = "completed";
    await merchant.clock.advance(4_000);
    await merchant.get(status);
    await expect.poll(async () => (await merchant.get(status)).json()).toMatchObject({ status: "paid" });
    const next = await merchant.get(linkIn(page, NEXT, returnPath));
    expect(next.headers.get("location")).toBe("https://boutique.example/orders/1042?paid");
  });

  test("a page that says what it shows is answered as soon as the payment arrives, and after six seconds in any case", async () => {
    const { paymentId, returnPath } = await merchant.startPayment();
    const page = await (await merchant.get(returnPath)).text();
    const askAndWait = async () => {
      const answer = merchant.get(linkIn(page, HELD_STATUS, returnPath));
      await expect.poll(() => merchant.clock.nextWakeAt()).not.toBeNull();
      return { json: async () => (await answer).json() };
    };
    const unchanged = await askAndWait();
    await merchant.clock.advance(6_000);
    expect(await unchanged.json()).toEqual({ status: "waiting", askInMs: 250 });

    const held = await askAndWait();
    merchant.service.newest().status = "completed";
    await confirmPayment(merchant.checkout.engine, paymentId, { actor: "shopper" });
    // Now the page says thank you; it shows the order once the shop has the payment.
    expect(await held.json()).toEqual({ status: "recording", askInMs: 250 });
  });

  test("without scripts the waiting page reloads itself until the order is paid", async () => {
    const { returnPath } = await merchant.startPayment();
    const page = await (await merchant.get(returnPath)).text();
    const refresh = /<noscript><meta http-equiv="refresh" content="5;url=([^"]+)"><\/noscript>/;
    const again = linkIn(page, refresh, returnPath);
    const second = await (await merchant.get(again)).text();
    // The query has `since`, the time when the shopper began to wait. A reload keeps it.
    expect(linkIn(second, refresh, again).split("?")[1]).toBe(again.split("?")[1]);

    merchant.service.newest().status = "completed";
    await merchant.clock.advance(4_000);
    await merchant.get(again);
    await expect.poll(async () => (await merchant.get(again)).status).toBe(303);
  });

  test("a returning shopper waits no longer than five seconds for a slow service", async () => {
    const { returnPath } = await merchant.startPayment();
    let openGate: () => void = () => undefined;
    merchant.service.gate = new Promise((resolve) => {
      openGate = resolve;
    });
    const pending = merchant.get(returnPath);
    await expect.poll(() => merchant.service.calls.read()).toBe(1);
    await merchant.clock.advance(5_000);
    const answer = await pending;
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("en cours de confirmation");
    openGate();
  });

  test("a shopper who paid on a second visit is redirected to the paid order", async () => {
    const { returnPath } = await merchant.startPayment();
    expect((await merchant.get(returnPath)).status).toBe(200);
    await merchant.clock.advance(90_000);
    merchant.service.newest().status = "completed";
    expect((await merchant.get(returnPath)).status).toBe(303);
  });

  test("a shopper sees the waiting page while the service answers errors", async () => {
    const { returnPath } = await merchant.startPayment();
    merchant.service.failure = { status: 401, code: "unauthorized" };
    const answer = await merchant.get(returnPath);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("en cours de confirmation");
  });

  test("a shopper reads that the payment is received while the shop cannot record it", async () => {
    const { returnPath } = await merchant.startPayment();
    merchant.service.newest().status = "completed";
    const markPaid = merchant.shop.adapter.markPaid;
    Object.assign(merchant.shop.adapter, { markPaid: () => Promise.reject(new Error("the shop is restarting")) });
    const page = await (await merchant.get(returnPath)).text();
    expect(page).toContain("Merci, votre paiement est reçu");
    expect(page).not.toContain("/pay/");
    expect(await (await merchant.get(linkIn(page, STATUS, returnPath))).json()).toMatchObject({ status: "recording" });

    Object.assign(merchant.shop.adapter, { markPaid });
    merchant.checkout.startTimer();
    await merchant.clock.advance(60_000);
    await expect.poll(() => merchant.shop.writes.length).toBe(1);
    expect((await merchant.get(linkIn(page, NEXT, returnPath))).status).toBe(303);
  });

  test("a shopper sees our paid page when the shop returns no address", async () => {
    const { returnPath } = await merchant.startPayment();
    merchant.service.newest().status = "completed";
    merchant.shop.arePagesDown = true;
    const answer = await merchant.get(returnPath);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("Merci, votre paiement est reçu");
  });

  test("a shopper is never redirected to an address that is not http or https", async () => {
    const { returnPath } = await merchant.startPayment();
    merchant.service.newest().status = "completed";
    for (const address of ["javascript:alert(1)", "/orders/1042", "data:text/html,x"]) {
      Object.assign(merchant.shop.adapter, { shopperUrl: async () => address });
      const answer = await merchant.get(returnPath);
      expect(answer.headers.get("location")).toBeNull();
      expect(await answer.text()).not.toContain(address);
    }
  });

  test("a shopper who paid another amount reads that the shop checks the payment, and that they must not pay again", async () => {
    const { returnPath } = await merchant.startPayment();
    merchant.service.newest().status = "completed";
    merchant.service.overrides = { amount: 24_000 };
    const page = await (await merchant.get(returnPath)).text();
    expect(page).toContain("La boutique vérifie votre paiement");
    expect(page).toContain("Ne payez pas une deuxième fois");
    expect(page).not.toContain("/pay/");
    expect(merchant.shop.writes).toEqual([]);
  });

  test("a shopper whose order was already paid otherwise reads that, and how to get a refund", async () => {
    const { paymentId, returnPath } = await merchant.startPayment();
    merchant.service.newest().status = "completed";
    if (merchant.shop.order) merchant.shop.order = { ...merchant.shop.order, paidBy: "outside", payable: false };
    const page = await (await merchant.get(returnPath)).text();
    expect(page).toContain("Cette commande était déjà payée");
    expect(page).toContain(receiptNumber(paymentId));
  });

  test("a shopper whose session expired may pay again, and the page still reads the payment's status", async () => {
    const { returnPath } = await merchant.startPayment();
    merchant.service.newest().status = "expired";
    const page = await (await merchant.get(returnPath)).text();
    expect(page).toContain("Le temps prévu pour payer est écoulé");
    expect(page).toMatch(/href="\.\.\/pay\//);
    expect(page).toMatch(STATUS);
  });

  test("a shopper whose payment is declined while they wait can try again", async () => {
    const { paymentId, returnPath } = await merchant.startPayment();
    const recordDecline = (at: number) =>
      merchant.ledger.commit({ timeline: [{ paymentId, at, actor: "webhook", kind: "attempt_failed" }] });
    await recordDecline(merchant.clock.now());
    await merchant.clock.advance(1_000);
    const page = await (await merchant.get(returnPath)).text();
    expect(page).toContain("en cours de confirmation");

    expect(await (await merchant.get(linkIn(page, STATUS, returnPath))).json()).toMatchObject({ status: "waiting" });
    await merchant.clock.advance(1_000);
    await recordDecline(merchant.clock.now());
    expect(await (await merchant.get(linkIn(page, STATUS, returnPath))).json()).toMatchObject({ status: "declined" });
    const declined = await (await merchant.get(linkIn(page, NEXT, returnPath))).text();
    expect(declined).toContain("Le paiement n’a pas abouti");
    expect(declined).toMatch(/href="\.\.\/pay\/[^"]+">Réessayer/);
  });
});

describe("a shopper who pressed cancel", () => {
  test("a shopper who cancels returns to the shop, and the payment stays open", async () => {
    const { paymentId, cancelPath } = await merchant.startPayment();
    const answer = await merchant.get(cancelPath);
    expect(answer.headers.get("location")).toBe("https://boutique.example/orders/1042?cancelled");
    expect((await merchant.ledger.find({ id: paymentId }))?.state).toBe("open");
    const timeline = await merchant.ledger.timeline({ paymentId });
    expect(timeline.filter(({ kind }) => kind === "cancelled")).toHaveLength(1);
  });

  test("a shopper who cancels after paying in another window sees that the order is paid", async () => {
    const { cancelPath } = await merchant.startPayment();
    merchant.service.newest().status = "completed";
    const answer = await merchant.get(cancelPath);
    const next = new URL(answer.headers.get("location") ?? "", `${merchant.url}${cancelPath}`);
    expect((await merchant.get(next.pathname)).headers.get("location")).toContain("?paid");
    expect(merchant.shop.writes).toHaveLength(1);
  });

  test("a shopper who cancels can resume the payment when the shop returns no address", async () => {
    const { cancelPath } = await merchant.startPayment();
    merchant.shop.arePagesDown = true;
    const page = await (await merchant.get(cancelPath)).text();
    expect(page).toContain("Votre commande n’est pas encore payée");
    const resume = linkIn(page, /href="(\.\.\/pay\/[^"]+)"/, cancelPath);
    expect((await merchant.get(resume)).headers.get("location")).toContain("https://pay.service.example/");
  });
});

describe("a shopper who wants to pay now", () => {
  test("a pay link leads to the open session however often it is opened", async () => {
    const { paymentId } = await merchant.startPayment();
    const answers = await Promise.all([1, 2, 3].map(() => merchant.get(linkOf("pay", paymentId))));
    const addresses = answers.map((answer) => answer.headers.get("location"));
    expect(new Set(addresses).size).toBe(1);
    expect(merchant.service.calls.opened()).toBe(1);
  });

  test("a pay link opens a new session when the old one is about to expire", async () => {
    const { paymentId } = await merchant.startPayment();
    await merchant.clock.advance(SESSION_NEARLY_OVER_MS);
    const answer = await merchant.get(linkOf("pay", paymentId));
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toContain(merchant.service.newest().id.slice(0, 8));
    expect(merchant.service.calls.opened()).toBe(2);
  });

  test("the pay link of a paid order leads to the shop's order page", async () => {
    const { paymentId, returnPath } = await merchant.startPayment();
    merchant.service.newest().status = "completed";
    await merchant.get(returnPath);
    const answer = await merchant.get(linkOf("pay", paymentId));
    expect(answer.headers.get("location")).toBe("https://boutique.example/orders/1042?paid");
    merchant.shop.arePagesDown = true;
    expect(await (await merchant.get(linkOf("pay", paymentId))).text()).toContain("Cette commande est déjà payée");
  });

  test("the pay link of a held payment shows that the shop is checking the payment", async () => {
    const { paymentId, returnPath } = await merchant.startPayment();
    merchant.service.newest().status = "completed";
    merchant.service.overrides = { currency_code: "USD" };
    await merchant.get(returnPath);
    const answer = await merchant.get(linkOf("pay", paymentId));
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("La boutique vérifie votre paiement");
    expect(merchant.service.calls.opened()).toBe(1);
  });

  test("the pay link of a cancelled or deleted order explains the reason and what to do", async () => {
    const { paymentId } = await merchant.startPayment();
    if (merchant.shop.order) merchant.shop.order = { ...merchant.shop.order, payable: false };
    const closed = await merchant.get(linkOf("pay", paymentId));
    expect(closed.status).toBe(409);
    expect(await closed.text()).toContain("Cette commande ne peut plus être payée");
    merchant.shop.order = null;
    const gone = await merchant.get(linkOf("pay", paymentId));
    expect(gone.status).toBe(404);
    expect(await gone.text()).toContain("Cette commande n’existe plus");
  });

  test("a pay link shows a retry page and a warning against paying twice while the shop is down", async () => {
    const { paymentId } = await merchant.startPayment();
    merchant.shop.isDown = true;
    const answer = await merchant.get(linkOf("pay", paymentId));
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("60");
    expect(await answer.text()).toContain("ne payez pas une deuxième fois");
  });

  test("a pay link shows that payment is closed while the settings are wrong, and the log has the reason", async () => {
    const { paymentId } = await merchant.startPayment();
    if (merchant.shop.order) merchant.shop.order = { ...merchant.shop.order, environment: "live" };
    await merchant.clock.advance(SESSION_NEARLY_OVER_MS);
    const answer = await merchant.get(linkOf("pay", paymentId));
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain("momentanément fermé");
    expect(merchant.lines).toContainEqual({
      level: "error",
      message: "page.pay_failed",
      fields: { paymentId, code: "environment_differs", request: answer.headers.get("x-request-id") },
    });
  });
});

describe("a request that no shopper sends", () => {
  test("a HEAD request of a link preview is answered with 200 and changes nothing", async () => {
    const { paymentId, returnPath, cancelPath } = await merchant.startPayment();
    for (const path of [returnPath, cancelPath, linkOf("pay", paymentId), linkOf("status", paymentId)]) {
      const answer = await merchant.get(path, { method: "HEAD" });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("location")).toBeNull();
    }
    expect(merchant.service.calls.read()).toBe(0);
    expect((await merchant.ledger.timeline({ paymentId })).map(({ kind }) => kind)).not.toContain("cancelled");
  });

  test("a prefetch request is answered with 503 and changes nothing", async () => {
    const { paymentId, cancelPath } = await merchant.startPayment();
    const answer = await merchant.get(cancelPath, { headers: { "sec-purpose": "prefetch;prerender" } });
    expect(answer.status).toBe(503);
    expect((await merchant.ledger.timeline({ paymentId })).map(({ kind }) => kind)).not.toContain("cancelled");
  });

  test("a POST to a link is answered with 405 and an explanation", async () => {
    const { returnPath } = await merchant.startPayment();
    const answer = await merchant.get(returnPath, { method: "POST", body: "paid=1" });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("GET, HEAD");
    expect(merchant.service.calls.read()).toBe(0);
  });
});

describe("a shopper on the waiting page", () => {
  test("a shopper who waits for two minutes causes six to ten reads of the service", async () => {
    const { paymentId } = await merchant.startPayment();
    const status = linkOf("status", paymentId);
    for (let request = 0; request < 60; request += 1) {
      await merchant.get(status);
      await merchant.clock.advance(2_000);
    }
    expect(merchant.service.calls.read()).toBeLessThanOrEqual(10);
    expect(merchant.service.calls.read()).toBeGreaterThanOrEqual(6);
  });
});

describe("when the merchant's own storage fails", () => {
  test("a failing ledger shows the shopper a retry page and logs the error code only", async () => {
    const { returnPath } = await merchant.startPayment();
    merchant.ledger.find = () => Promise.reject(Object.assign(new Error("password=hunter2"), { code: "SQLITE_IOERR" }));
    const answer = await merchant.get(returnPath);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain("Un instant, s’il vous plaît");
    const log = JSON.stringify(merchant.lines);
    expect(log).toContain("SQLITE_IOERR");
    expect(log).not.toContain("hunter2");
  });
});
