import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { pluginFile } from "../wordpress-plugin/plugin-files.ts";

type Element = { readonly type: unknown; readonly props: unknown; readonly children: readonly unknown[] };

const createElement = (type: unknown, props: unknown, ...children: unknown[]): Element => ({ type, props, children });

describe("block checkout script", () => {
  it("the block checkout registers the payment method of the shop", () => {
    const method = registerMethod({
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
    const label = draw(registerMethod({ title: "Mobile money", icons: [ICON] }).label, { components });
    expect(label.children).toEqual([
      createElement("label of WooCommerce", { text: "Mobile money" }),
      createElement("icons of WooCommerce", { icons: [ICON], align: "left" }),
    ]);
  });

  it("the block checkout shows the description as plain text", () => {
    const { content, edit } = registerMethod({ description: "<b>Pay</b>" });
    expect(draw(content, {})).toEqual(createElement("p", null, "<b>Pay</b>"));
    expect(draw(edit, {})).toEqual(createElement("p", null, "<b>Pay</b>"));
  });

  it("the block checkout works without settings", () => {
    expect(registerMethod({}).supports).toEqual({ features: ["products"] });
  });
});

describe("thank-you page script", () => {
  it("the thank-you page polls until the payment has arrived and then says that it has arrived", async () => {
    const page = openThankYouPage([WAITING, null, WAITING, PAID]);
    await page.advance(60);
    expect(page.status.textContent).toBe("Arrived. Thank you!");
    expect(page.payAgain.hidden).toBe(true);
    expect(page.requests).toHaveLength(4);
    const body = { order: "1042", key: "wc_order_x", place: "thankyou" };
    expect(page.requests[0]).toEqual({ url: "/wait", body, method: "POST" });
  });

  it("heading and sentence of the thank-you page change together with the notice, wherever the theme puts them", async () => {
    const page = openThankYouPage([WAITING, PAID]);
    await page.advance(20);
    expect(page.heading.textContent).toBe("Order received");
    expect(page.sentence.textContent).toBe("Thank you.");
    expect(page.other.textContent).toBe("Order 1042");
    expect(page.section.className).toBe("tillkit-notice is-success");
  });

  it("the page of a failed order is made anew once when a late payment has arrived, and no other page", async () => {
    const page = openThankYouPage([WAITING, { ...PAID, state: "waiting" }, PAID], "thankyou", true);
    await page.advance(3);
    expect(page.reloads()).toBe(0);
    await page.advance(60);
    expect(page.reloads()).toBe(1);
    const other = openThankYouPage([PAID]);
    await other.advance(60);
    expect(other.reloads()).toBe(0);
  });

  it("the page where an order is paid asks at once, and hides its form when money has arrived", async () => {
    const page = openThankYouPage([{ ...WAITING, state: "held" }], "pay");
    await page.advance(1);
    expect(page.requests).toHaveLength(1);
    expect(page.form.hidden).toBe(true);
    expect(page.heading.textContent).toBe("Waiting for your payment");
    const open = openThankYouPage([{ ...WAITING, state: "unknown" }, WAITING], "pay");
    await open.advance(4);
    expect(open.requests.length).toBeGreaterThan(1);
    expect(open.form.hidden).toBe(false);
    expect(open.status.textContent).toBe("We wait.");
  });

  it("after a declined payment the page offers to pay again, keeps polling, and shows a payment that arrives later", async () => {
    const page = openThankYouPage([{ ...WAITING, state: "declined", text: "Declined." }, PAID]);
    await page.advance(3);
    expect(page.payAgain.hidden).toBe(false);
    await page.advance(20);
    expect(page.status.textContent).toBe("Arrived. Thank you!");
    expect(page.payAgain.hidden).toBe(true);
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
    expect(() => run("bridge/shopper/wait.js", { document: { getElementById: () => null } })).not.toThrow();
    expect(() =>
      run("bridge/shopper/wait.js", { document: { getElementById: () => ({ dataset: {} }) } }),
    ).not.toThrow();
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

  it("a decision sends the fields of its form, and the page is loaded again after it", async () => {
    const box = openBox({ action: "tillkit_order", order: "1042" }, () => ({ html: "", reload: true }));
    box.press(buttonOf("refund", { payment: "payment-a", seen: "abc", amount: "1 500" }));
    await box.waitForResponse();
    expect(box.requests).toEqual([
      "action=tillkit_order&nonce=nonce&order=1042&purpose=refund&payment=payment-a&seen=abc&amount=1+500",
    ]);
    expect(box.reloads).toHaveLength(1);
  });

  it("a click beside the buttons or on a button that is busy sends nothing", async () => {
    const box = openBox({ action: "tillkit_order" }, () => ({ html: "" }));
    box.press({ closest: () => null });
    box.press(Object.assign(buttonOf("accept", {}), { disabled: true }));
    expect(box.requests).toEqual([]);
  });

  it("the key Enter in an amount presses the button of its form and does not save the order", () => {
    const box = openBox({ action: "tillkit_order" }, () => ({ html: "" }));
    const clicks: true[] = [];
    const form = { querySelector: () => ({ click: () => clicks.push(true) }) };
    const amount = { matches: () => true, closest: () => form };
    expect(box.pressKey("Enter", amount)).toBe(true);
    expect(box.pressKey("5", amount)).toBe(false);
    expect(box.pressKey("Enter", { matches: () => false })).toBe(false);
    expect(clicks).toHaveLength(1);
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
const WAITING = {
  state: "waiting",
  kind: "info",
  text: "We wait.",
  title: "Waiting for your payment",
  received: "We have your order.",
};
const PAID = {
  state: "paid",
  kind: "success",
  text: "Arrived. Thank you!",
  title: "Order received",
  received: "Thank you.",
};

function run(script: string, globals: Readonly<Record<string, unknown>>): void {
  runInNewContext(readFileSync(pluginFile(script), "utf8"), globals);
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

function registerMethod(data: Readonly<Record<string, unknown>>): Method {
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
function openThankYouPage(answers: readonly unknown[], place = "thankyou", isFailed = false) {
  const status = { textContent: "We wait." };
  const payAgain = { hidden: true };
  const requests: unknown[] = [];
  let now = 0;
  let timers: { readonly at: number; readonly work: () => void }[] = [];
  const { title, received } = WAITING;
  const section = {
    className: "",
    dataset: {
      url: "/wait",
      order: "1042",
      key: "wc_order_x",
      place,
      failed: isFailed ? "yes" : "",
      title,
      received,
      timeoutText: "It takes longer.",
    },
    querySelectorAll: () => [status, payAgain],
  };
  const [heading, sentence, other] = [title, received, "Order 1042"].map((textContent) => ({
    textContent,
    childElementCount: 0,
  })) as [Leaf, Leaf, Leaf];
  const form = { hidden: false };
  const elements: Readonly<Record<string, unknown>> = { "tillkit-wait": section, order_review: form };
  const reply = async (url: string, { method, body }: { readonly method: string; readonly body: string }) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push({ url, method, body: JSON.parse(body) });
    return { ok: answer !== null, json: async () => answer };
  };
  const stored = new Map<string, string>();
  let reloads = 0;
  run("bridge/shopper/wait.js", {
    location: { reload: () => (reloads += 1) },
    sessionStorage: {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => stored.set(name, value),
    },
    document: {
      title: "Waiting for your payment – Shop",
      getElementById: (id: string) => elements[id] ?? null,
      querySelectorAll: () => [heading, sentence, other],
    },
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
  return { status, payAgain, section, heading, sentence, other, form, requests, advance, reloads: () => reloads };
}

type Leaf = { textContent: string; readonly childElementCount: number };

type Handler = (event: Readonly<Record<string, unknown>>) => void;

/** A box of the administration with one button. Buttons of the response are passed to `press`. */
function openBox(dataset: Readonly<Record<string, string>>, reply: () => unknown) {
  const requests: string[] = [];
  const reloads: true[] = [];
  const answer = { innerHTML: "", textContent: "" };
  const handlers: Record<string, Handler> = {};
  const button = buttonOf("check", {});
  const box = {
    dataset: { url: "/admin-ajax.php", nonce: "nonce", failureText: "No answer.", ...dataset },
    querySelector: () => answer,
    querySelectorAll: () => [button],
    addEventListener: (name: string, handler: Handler) => {
      handlers[name] = handler;
    },
  };
  run("bridge/order-panel/buttons.js", {
    document: { querySelectorAll: () => [box] },
    window: { location: { reload: () => reloads.push(true) } },
    URLSearchParams,
    fetch: async (_: string, { body }: { readonly body: URLSearchParams }) => {
      requests.push(body.toString());
      const result = await reply();
      return { json: async () => result };
    },
  });
  const press = (target: unknown = button) => handlers.click?.({ target });
  const pressKey = (key: string, target: unknown) => {
    const event = { key, target, prevented: false, preventDefault: () => Object.assign(event, { prevented: true }) };
    handlers.keydown?.(event);
    return event.prevented;
  };
  return { requests, reloads, answer, button, press, pressKey, waitForResponse: () => new Promise(setImmediate) };
}

/** A button in a form with these fields. */
function buttonOf(purpose: string, fields: Readonly<Record<string, string>>) {
  const inputs = Object.entries(fields).map(([tillkitField, value]) => ({ dataset: { tillkitField }, value }));
  const form = { querySelectorAll: () => inputs };
  const button = {
    dataset: { tillkitPurpose: purpose },
    disabled: false,
    closest: (selector: string) => (selector === "[data-tillkit-form]" ? form : button),
  };
  return button;
}
