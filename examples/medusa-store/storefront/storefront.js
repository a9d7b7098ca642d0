import { completeCheckout, redirectToCheckout } from "/tillkit/storefront.js";
import { texts } from "./texts.js";

// A minimal storefront on one page. It uses Medusa's store API and the two functions of the plugin.
const PROVIDER = "pp_tillkit_tillkit";
const settings = await (await fetch("/settings.json")).json();
const main = document.querySelector("#main");
const pageUrl = new URL(location.href);

for (const element of document.querySelectorAll("[data-text]")) element.textContent = texts[element.dataset.text];
document.documentElement.lang = texts.language;

if (pageUrl.pathname === "/return") await showReturn(pageUrl.searchParams.get("tillkit") ?? "");
else await showStore();

async function showStore() {
  const { regions } = await request("GET", "/store/regions");
  const select = document.querySelector("#regions");
  for (const { id, name } of regions) select.append(new Option(name, id));
  const savedRegion = localStorage.getItem("region");
  if (regions.some(({ id }) => id === savedRegion)) select.value = savedRegion;
  select.onchange = () => {
    localStorage.setItem("region", select.value);
    void showProducts(regions.find(({ id }) => id === select.value));
  };
  await showProducts(regions.find(({ id }) => id === select.value));
}

async function showProducts(region) {
  const { products } = await request(
    "GET",
    `/store/products?region_id=${region.id}&fields=title,*variants.calculated_price`,
  );
  // The shopper may have chosen another country in the meantime: the products of that country stay on the page.
  if (document.querySelector("#regions").value !== region.id) return;
  const list = document.createElement("ul");
  for (const { title, variants } of products) {
    const [variant] = variants;
    const price = formatPrice(variant.calculated_price.calculated_amount, region.currency_code);
    const button = element("button", texts.buy);
    // A screen reader that lists the buttons hears which of them buys what.
    button.setAttribute("aria-label", texts.buyOf(title, price));
    button.onclick = () => buy(button, region, variant).catch((error) => showError(error.message, button));
    const item = element("li");
    item.append(element("h2", title), withClass("price", element("p", price)), button);
    list.append(item);
  }
  main.replaceChildren(element("h1", texts.products), list);
}

/** All steps of a checkout with one button. A real store asks for the address. */
async function buy(button, region, variant) {
  button.disabled = true;
  button.removeAttribute("aria-label");
  button.textContent = texts.redirecting;
  const shopper = { first_name: "Awa", last_name: "Diallo", address_1: "Avenue 16", city: "Treichville" };
  const shopperAddress = { ...shopper, country_code: region.countries[0].iso_2 };
  const { cart } = await request("POST", "/store/carts", {
    region_id: region.id,
    locale: texts.language,
    email: "awa@example.com",
    shipping_address: shopperAddress,
    billing_address: shopperAddress,
    items: [{ variant_id: variant.id, quantity: 1 }],
  });
  const { shipping_options: options } = await request("GET", `/store/shipping-options?cart_id=${cart.id}`);
  if (options.length > 0)
    await request("POST", `/store/carts/${cart.id}/shipping-methods`, { option_id: options[0].id });
  const { payment_collection: collection } = await request("POST", "/store/payment-collections", { cart_id: cart.id });
  const sessions = `/store/payment-collections/${collection.id}/payment-sessions`;
  redirectToCheckout(await request("POST", sessions, { provider_id: PROVIDER }));
}

/** The token in the URL identifies the payment, so this page works in another browser too. */
async function showReturn(token) {
  document.querySelector("#country").hidden = true;
  showState({ title: texts.checking });
  const { medusaUrl: backendUrl, publishableKey } = settings;
  const result = await completeCheckout({ token, backendUrl, publishableKey });
  const shop = withClass("button second", element("a", texts.backToShop));
  shop.href = "/";
  if (result.status === "paid") {
    const { order } = await request("GET", `/store/orders/${result.orderId}?fields=display_id,total,currency_code`);
    const facts = {
      [texts.order]: texts.orderNumber(order.display_id),
      [texts.total]: formatPrice(order.total, order.currency_code),
    };
    showState({ ...texts.states.paid, facts, look: "good", buttons: [shop] });
    return;
  }
  const checkAgain = element("button", texts.checkAgain);
  checkAgain.onclick = () => showReturn(token);
  const mayChange = result.status === "waiting" || result.status === "held";
  const buttons = result.status === "waiting" ? [checkAgain, shop] : [shop];
  showState({ ...texts.states[result.status], look: mayChange ? "wait" : "calm", buttons });
}

/** Where the order stands: one sentence first, then what to know, the order's facts by their names, and what can be done. */
function showState({ title, text = "", facts = {}, look = "calm", buttons = [] }) {
  const state = withClass(`state ${look}`, document.createElement("section"));
  state.append(element("h1", title));
  if (text !== "") state.append(element("p", text));
  const list = document.createElement("dl");
  for (const [name, value] of Object.entries(facts)) {
    const row = document.createElement("div");
    row.append(element("dt", name), element("dd", value));
    list.append(row);
  }
  if (list.childElementCount > 0) state.append(list);
  const actions = withClass("actions", document.createElement("div"));
  actions.append(...buttons);
  main.replaceChildren(state, actions);
  document.title = `${title} · Chez Adjoua`;
}

async function request(method, path, body) {
  const response = await fetch(settings.medusaUrl + path, {
    method,
    headers: { "content-type": "application/json", "x-publishable-api-key": settings.publishableKey },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  throw new Error(answer.message);
}

function showError(message, button) {
  const alert = withClass("error", element("p", message));
  alert.role = "alert";
  main.querySelector(".error")?.remove();
  // Beside the button, because the top of the list may be far away on a phone.
  button.before(alert);
  button.textContent = texts.tryAgain;
  button.disabled = false;
}

function formatPrice(amount, currency) {
  // English would write "F CFA 4,000"; the payment page that follows writes "4 000 F CFA" in every language.
  const locale = currency.toUpperCase() === "XOF" ? "fr" : texts.language;
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount);
}

function element(name, text = "") {
  const created = document.createElement(name);
  created.textContent = text;
  return created;
}

function withClass(className, created) {
  created.className = className;
  return created;
}
