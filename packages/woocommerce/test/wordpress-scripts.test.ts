import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { pluginFolder } from "../wordpress-plugin/plugin-files.ts";

type Element = { readonly type: unknown; readonly props: unknown; readonly children: readonly unknown[] };

const createElement = (type: unknown, props: unknown, ...children: unknown[]): Element => ({ type, props, children });

describe("block checkout script", () => {
  it("the block checkout registers the payment method of the shop", () => {
    const method = registered({
      title: "Mobile money",
      description: "Pay & come back",
      icons: [ICON],
      supports: ["products", "refunds"],
    });
    expect(method.name).toBe("tillkit");
    expect(method.ariaLabel).toBe("Mobile money");
    expect(method.supports).toEqual({ features: ["products", "refunds"] });
    expect(method.canMakePayment()).toBe(true);
  });

  it("the block checkout shows title and icons with WooCommerce's components", () => {
    const components = { PaymentMethodLabel: "label of WooCommerce", PaymentMethodIcons: "icons of WooCommerce" };
    const label = draw(registered({ title: "Mobile money", icons: [ICON] }).label, { components });
    expect(label.children).toEqual([
      createElement("label of WooCommerce", { text: "Mobile money" }),
      createElement("icons of WooCommerce", { icons: [ICON], align: "left" }),
    ]);
  });

  it("the block checkout shows the description as plain text", () => {
    const { content, edit } = registered({ description: "<b>Pay</b>" });
    expect(draw(content, {})).toEqual(createElement("p", null, "<b>Pay</b>"));
    expect(draw(edit, {})).toEqual(createElement("p", null, "<b>Pay</b>"));
  });

  it("the block checkout works without settings", () => {
    expect(registered({}).supports).toEqual({ features: ["products"] });
  });
});

describe("thank-you page script", () => {
  it("the thank-you page polls until the payment has arrived and then shows that", async () => {
    const page = openThankYouPage([WAITING, null, WAITING, { state: "paid", text: "Arrived. Thank you!" }]);
    await page.advance(60);
    expect(page.status.textContent).toBe("Arrived. Thank you!");
    expect(page.payAgain.hidden).toBe(true);
    expect(page.requests).toHaveLength(4);
    expect(page.requests[0]).toEqual({ url: "/wait", body: { order: "1042", key: "wc_order_x" }, method: "POST" });
  });

  it("the thank-you page offers to pay again after an incomplete payment", async () => {
    const page = openThankYouPage([{ state: "not_completed", text: "Not completed." }]);
    await page.advance(10);
    expect(page.status.textContent).toBe("Not completed.");
    expect(page.payAgain.hidden).toBe(false);
  });

  it("the thank-you page polls more and more slowly and says after ten minutes that the confirmation takes longer", async () => {
    const page = openThankYouPage([WAITING]);
    await page.advance(60);
    expect(page.requests.length).toBeLessThan(10);
    expect(page.status.textContent).toBe("We wait.");
    await page.advance(700);
    expect(page.requests.length).toBeLessThan(45);
    expect(page.status.textContent).toBe("It takes longer.");
    const before = page.requests.length;
    await page.advance(700);
    expect(page.requests).toHaveLength(before);
  });

  it("the thank-you page ignores invalid responses and shows texts without markup", async () => {
    const page = openThankYouPage([
      { state: 7, text: "odd" },
      ["paid"],
      { state: "paid" },
      { state: "paid", text: "<b>Arrived</b>" },
    ]);
    await page.advance(60);
    expect(page.requests).toHaveLength(4);
    expect(page.status.textContent).toBe("<b>Arrived</b>");
  });

  it("the thank-you script does nothing on pages without a waiting payment", () => {
    expect(() => run("checkout/wait.js", { document: { getElementById: () => null } })).not.toThrow();
    expect(() => run("checkout/wait.js", { document: { getElementById: () => ({ dataset: {} }) } })).not.toThrow();
  });
});

describe("admin script", () => {
  it("the admin buttons send their nonce and show the response", async () => {
    const box = openBox({ action: "tillkit_order", order: "1042", load: "yes" }, () => ({ html: "<p>Paid</p>" }));
    await box.waitForResponse();
    expect(box.answer.innerHTML).toBe("<p>Paid</p>");
    box.press();
    expect(box.button.disabled).toBe(true);
    await box.waitForResponse();
    expect(box.requests).toEqual([
      "action=tillkit_order&nonce=nonce&order=1042&purpose=status",
      "action=tillkit_order&nonce=nonce&order=1042&purpose=check",
    ]);
    expect(box.button.disabled).toBe(false);
  });

  it("the health box sends nothing before a click", async () => {
    const box = openBox({ action: "tillkit_health" }, () => ({ html: "" }));
    await box.waitForResponse();
    expect(box.requests).toEqual([]);
  });

  it.each([
    ["cannot be reached", () => Promise.reject(new Error("offline"))],
    ["answers without HTML", () => "-1"],
  ])("the admin buttons show a failure when the shop %s and stay usable", async (_, reply) => {
    const box = openBox({ action: "tillkit_order", load: "yes" }, reply);
    await box.waitForResponse();
    expect(box.answer.textContent).toBe("No answer.");
    expect(box.button.disabled).toBe(false);
  });
});

const ICON = { id: "card", src: "https://shop.example/card.svg", alt: "Card" };
const WAITING = { state: "waiting", text: "We wait." };

function run(script: string, globals: Readonly<Record<string, unknown>>): void {
  runInNewContext(readFileSync(join(pluginFolder, script), "utf8"), globals);
}

type Method = {
  readonly name: string;
  readonly ariaLabel: string;
  readonly label: Element;
  readonly content: Element;
  readonly edit: Element;
  readonly supports: unknown;
  canMakePayment(): boolean;
};

function registered(data: Readonly<Record<string, unknown>>): Method {
  const methods: Method[] = [];
  const wc = {
    wcBlocksRegistry: { registerPaymentMethod: (method: Method) => methods.push(method) },
    wcSettings: { getSetting: (name: string, fallback: unknown) => (name === "tillkit_data" ? data : fallback) },
  };
  run("checkout/blocks.js", { window: { wc, wp: { element: { createElement } } } });
  const [method] = methods;
  if (method === undefined) throw new Error("No payment method was registered.");
  return method;
}

function draw({ type }: Element, props: unknown): Element {
  return (type as (props: unknown) => Element)(props);
}

/** A page with a manual clock. The last of the answers is repeated; null stands for a shop that does not respond. */
function openThankYouPage(answers: readonly unknown[]) {
  const status = { textContent: "We wait." };
  const payAgain = { hidden: true };
  const requests: unknown[] = [];
  let now = 0;
  let timers: { readonly at: number; readonly work: () => void }[] = [];
  const section = {
    dataset: { url: "/wait", order: "1042", key: "wc_order_x", timeoutText: "It takes longer." },
    querySelectorAll: () => [status, payAgain],
  };
  const reply = async (url: string, { method, body }: { readonly method: string; readonly body: string }) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push({ url, method, body: JSON.parse(body) });
    return { ok: answer !== null, json: async () => answer };
  };
  run("checkout/wait.js", {
    document: { getElementById: () => section },
    Date: { now: () => now },
    setTimeout: (work: () => void, pauseMs: number) => timers.push({ at: now + pauseMs, work }),
    fetch: reply,
  });
  async function advance(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      now += 1_000;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { work } of due) work();
      await new Promise(setImmediate);
    }
  }
  return { status, payAgain, requests, advance };
}

function openBox(dataset: Readonly<Record<string, string>>, reply: () => unknown) {
  const requests: string[] = [];
  const answer = { innerHTML: "", textContent: "" };
  const clicks: (() => void)[] = [];
  const button = {
    dataset: { tillkitPurpose: "check" },
    disabled: false,
    addEventListener: (_: string, click: () => void) => clicks.push(click),
  };
  const box = {
    dataset: { url: "/admin-ajax.php", nonce: "nonce", failureText: "No answer.", ...dataset },
    querySelector: () => answer,
    querySelectorAll: () => [button],
  };
  run("settings/admin.js", {
    document: { querySelectorAll: () => [box] },
    URLSearchParams,
    fetch: async (_: string, { body }: { readonly body: URLSearchParams }) => {
      requests.push(body.toString());
      const result = await reply();
      return { json: async () => result };
    },
  });
  const press = () => {
    for (const click of clicks) click();
  };
  return { requests, answer, button, press, waitForResponse: () => new Promise(setImmediate) };
}
