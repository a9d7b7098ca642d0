import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { pluginFolder } from "../wordpress-plugin/plugin-files.ts";

type Element = { readonly type: unknown; readonly props: unknown; readonly children: readonly unknown[] };

const createElement = (type: unknown, props: unknown, ...children: unknown[]): Element => ({ type, props, children });

describe("The block checkout", () => {
  it("gets the payment method that the shop describes", () => {
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

  it("shows the title and the pictures, drawn by WooCommerce's own components", () => {
    const components = { PaymentMethodLabel: "label of WooCommerce", PaymentMethodIcons: "icons of WooCommerce" };
    const label = draw(registered({ title: "Mobile money", icons: [ICON] }).label, { components });
    expect(label.children).toEqual([
      createElement("label of WooCommerce", { text: "Mobile money" }),
      createElement("icons of WooCommerce", { icons: [ICON], align: "left" }),
    ]);
  });

  it("shows the description as text, whatever an owner types", () => {
    const { content, edit } = registered({ description: "<b>Pay</b>" });
    expect(draw(content, {})).toEqual(createElement("p", null, "<b>Pay</b>"));
    expect(draw(edit, {})).toEqual(createElement("p", null, "<b>Pay</b>"));
  });

  it("survives a shop that describes nothing", () => {
    expect(registered({}).supports).toEqual({ features: ["products"] });
  });
});

describe("The thank-you page", () => {
  it("keeps asking until the money is there, and says so", async () => {
    const page = openThankYouPage([WAITING, null, WAITING, { state: "paid", text: "Arrived. Thank you!" }]);
    await page.pass(60);
    expect(page.status.textContent).toBe("Arrived. Thank you!");
    expect(page.payAgain.hidden).toBe(true);
    expect(page.asked).toHaveLength(4);
    expect(page.asked[0]).toEqual({ url: "/wait", body: { order: "1042", key: "wc_order_x" }, method: "POST" });
  });

  it("offers to pay again when the payment was not completed", async () => {
    const page = openThankYouPage([{ state: "lapsed", text: "Not completed." }]);
    await page.pass(10);
    expect(page.status.textContent).toBe("Not completed.");
    expect(page.payAgain.hidden).toBe(false);
  });

  it("asks ever more slowly, and after ten minutes says that it takes longer", async () => {
    const page = openThankYouPage([WAITING]);
    await page.pass(60);
    expect(page.asked.length).toBeLessThan(10);
    expect(page.status.textContent).toBe("We wait.");
    await page.pass(700);
    expect(page.asked.length).toBeLessThan(45);
    expect(page.status.textContent).toBe("It takes longer.");
    const before = page.asked.length;
    await page.pass(700);
    expect(page.asked).toHaveLength(before);
  });

  it("takes no answer that is not the shop's", async () => {
    const page = openThankYouPage([
      { state: 7, text: "odd" },
      ["paid"],
      { state: "paid" },
      { state: "paid", text: "<b>Arrived</b>" },
    ]);
    await page.pass(60);
    expect(page.asked).toHaveLength(4);
    expect(page.status.textContent).toBe("<b>Arrived</b>");
  });

  it("asks nothing on the page of a paid order, or on one without our section", () => {
    expect(() => run("checkout/wait.js", { document: { getElementById: () => null } })).not.toThrow();
    expect(() => run("checkout/wait.js", { document: { getElementById: () => ({ dataset: {} }) } })).not.toThrow();
  });
});

describe("The buttons in the administration", () => {
  it("ask the shop with their nonce and show what it answers", async () => {
    const box = openBox({ action: "tillkit_order", order: "1042", now: "yes" }, () => ({ html: "<p>Paid</p>" }));
    await box.settled();
    expect(box.answer.innerHTML).toBe("<p>Paid</p>");
    box.press();
    expect(box.button.disabled).toBe(true);
    await box.settled();
    expect(box.asked).toEqual([
      "action=tillkit_order&nonce=nonce&order=1042&ask=status",
      "action=tillkit_order&nonce=nonce&order=1042&ask=check",
    ]);
    expect(box.button.disabled).toBe(false);
  });

  it("wait to be pressed where nothing is asked by itself", async () => {
    const box = openBox({ action: "tillkit_health" }, () => ({ html: "" }));
    await box.settled();
    expect(box.asked).toEqual([]);
  });

  it.each([
    ["breaks", () => Promise.reject(new Error("offline"))],
    ["answers something else", () => "-1"],
  ])("say so when the shop %s, and can be pressed again", async (_, reply) => {
    const box = openBox({ action: "tillkit_order", now: "yes" }, reply);
    await box.settled();
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
    wcSettings: { getSetting: (name: string, otherwise: unknown) => (name === "tillkit_data" ? data : otherwise) },
  };
  run("checkout/blocks.js", { window: { wc, wp: { element: { createElement } } } });
  const [method] = methods;
  if (method === undefined) throw new Error("No payment method was registered.");
  return method;
}

function draw({ type }: Element, props: unknown): Element {
  return (type as (props: unknown) => Element)(props);
}

/** A page whose clock is moved by hand; the last answer is given for ever, null is a shop that does not answer. */
function openThankYouPage(answers: readonly unknown[]) {
  const status = { textContent: "We wait." };
  const payAgain = { hidden: true };
  const asked: unknown[] = [];
  let now = 0;
  let timers: { readonly at: number; readonly work: () => void }[] = [];
  const section = {
    dataset: { url: "/wait", order: "1042", key: "wc_order_x", later: "It takes longer." },
    querySelectorAll: () => [status, payAgain],
  };
  const reply = async (url: string, { method, body }: { readonly method: string; readonly body: string }) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    asked.push({ url, method, body: JSON.parse(body) });
    return { ok: answer !== null, json: async () => answer };
  };
  run("checkout/wait.js", {
    document: { getElementById: () => section },
    Date: { now: () => now },
    setTimeout: (work: () => void, pause: number) => timers.push({ at: now + pause, work }),
    fetch: reply,
  });
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      now += 1_000;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { work } of due) work();
      await new Promise(setImmediate);
    }
  }
  return { status, payAgain, asked, pass };
}

function openBox(dataset: Readonly<Record<string, string>>, reply: () => unknown) {
  const asked: string[] = [];
  const answer = { innerHTML: "", textContent: "" };
  const clicks: (() => void)[] = [];
  const button = {
    dataset: { tillkitAsk: "check" },
    disabled: false,
    addEventListener: (_: string, click: () => void) => clicks.push(click),
  };
  const box = {
    dataset: { url: "/admin-ajax.php", nonce: "nonce", lost: "No answer.", ...dataset },
    querySelector: () => answer,
    querySelectorAll: () => [button],
  };
  run("settings/admin.js", {
    document: { querySelectorAll: () => [box] },
    URLSearchParams,
    fetch: async (_: string, { body }: { readonly body: URLSearchParams }) => {
      asked.push(body.toString());
      const said = await reply();
      return { json: async () => said };
    },
  });
  const press = () => {
    for (const click of clicks) click();
  };
  return { asked, answer, button, press, settled: () => new Promise(setImmediate) };
}
