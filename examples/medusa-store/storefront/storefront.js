import { completeCheckout, redirectToCheckout } from "/tillkit/storefront.js";
import { words } from "./words.js";

// A storefront in one page: Medusa's store API, and the two functions of the plugin. Real ones look better.
const PROVIDER = "pp_tillkit_tillkit";
const settings = await (await fetch("/settings.json")).json();
const main = document.querySelector("#main");
const address = new URL(location.href);

for (const element of document.querySelectorAll("[data-word]")) element.textContent = words[element.dataset.word];
document.documentElement.lang = words.language;

if (address.pathname === "/return") await showReturn(address.searchParams.get("tillkit") ?? "");
else await showShelf();

async function showShelf() {
  const { regions } = await ask("GET", "/store/regions");
  const select = document.querySelector("#regions");
  for (const { id, name } of regions) select.append(new Option(name, id));
  const wanted = localStorage.getItem("region");
  if (regions.some(({ id }) => id === wanted)) select.value = wanted;
  select.onchange = () => {
    localStorage.setItem("region", select.value);
    void showProducts(regions.find(({ id }) => id === select.value));
  };
  await showProducts(regions.find(({ id }) => id === select.value));
}

async function showProducts(region) {
  const { products } = await ask(
    "GET",
    `/store/products?region_id=${region.id}&fields=title,*variants.calculated_price`,
  );
  // The shopper chose another country meanwhile, and its products may be shown already.
  if (document.querySelector("#regions").value !== region.id) return;
  const list = document.createElement("ul");
  for (const { title, variants } of products) {
    const [variant] = variants;
    const price = money(variant.calculated_price.calculated_amount, region.currency_code);
    const button = element("button", words.buy(price));
    button.onclick = () => buy(button, region, variant).catch((problem) => showProblem(problem.message, button));
    const item = element("li");
    item.append(element("b", title), button);
    list.append(item);
  }
  main.replaceChildren(list);
}

/** The five steps of a checkout in one press. A real shop asks for the address. */
async function buy(button, region, variant) {
  button.disabled = true;
  button.textContent = words.leaving;
  const shopper = { first_name: "Awa", last_name: "Diallo", address_1: "Avenue 16", city: "Treichville" };
  const home = { ...shopper, country_code: region.countries[0].iso_2 };
  const { cart } = await ask("POST", "/store/carts", {
    region_id: region.id,
    locale: words.language,
    email: "awa@example.com",
    shipping_address: home,
    billing_address: home,
    items: [{ variant_id: variant.id, quantity: 1 }],
  });
  const { shipping_options: options } = await ask("GET", `/store/shipping-options?cart_id=${cart.id}`);
  if (options.length > 0) await ask("POST", `/store/carts/${cart.id}/shipping-methods`, { option_id: options[0].id });
  const { payment_collection: collection } = await ask("POST", "/store/payment-collections", { cart_id: cart.id });
  const sessions = `/store/payment-collections/${collection.id}/payment-sessions`;
  redirectToCheckout(await ask("POST", sessions, { provider_id: PROVIDER }));
}

/** The address alone says which order it is: this page works in another browser too. */
async function showReturn(token) {
  main.replaceChildren(element("p", words.looking));
  const { medusaUrl: backendUrl, publishableKey } = settings;
  const result = await completeCheckout({ token, backendUrl, publishableKey });
  if (result.status !== "paid") {
    const again = element("button", words.again);
    again.onclick = () => showReturn(token);
    main.replaceChildren(element("p", words.after[result.status]), ...(result.status === "waiting" ? [again] : []));
    return;
  }
  const { order } = await ask("GET", `/store/orders/${result.orderId}?fields=display_id,total,currency_code`);
  main.replaceChildren(
    element("h1", words.thanks),
    element("p", words.paid(order.display_id, money(order.total, order.currency_code))),
  );
}

async function ask(method, path, body) {
  const answer = await fetch(settings.medusaUrl + path, {
    method,
    headers: { "content-type": "application/json", "x-publishable-api-key": settings.publishableKey },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const read = await answer.json();
  if (answer.ok) return read;
  throw new Error(read.message);
}

function showProblem(message, button) {
  const problem = element("p", message);
  problem.className = "problem";
  problem.role = "alert";
  main.prepend(problem);
  button.textContent = words.tryAgain;
  button.disabled = false;
}

function money(amount, currency) {
  return new Intl.NumberFormat(words.language, { style: "currency", currency }).format(amount);
}

function element(name, text = "") {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
