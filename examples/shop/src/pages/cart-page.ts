import { formatMoney } from "@tillkit/core";
import { type Basket, basketsOf, type CartLine } from "../cart.ts";
import { type Html, html } from "../html.ts";
import { illustration } from "../illustrations.ts";
import type { Visit } from "../visit.ts";
import { formToken, type Page } from "./layout.ts";

type Stock = ReadonlyMap<string, number>;

export function cartPage(visit: Visit, stock: Stock): Page {
  const { messages } = visit;
  const baskets = basketsOf(visit.cart);
  const empty = html`<p>${messages.cartEmpty} ${messages.cartEmptyText}</p><p><a class="button" href="/">${messages.toShelf}</a></p>`;
  const full = html`
    ${baskets.length > 1 && html`<p class="hint">${messages.twoCurrencies}</p>`}
    ${baskets.map((basket) => basketSection(visit, basket, stock, baskets.length > 1))}
    <p class="after"><a href="/">${messages.keepShopping}</a></p>`;
  return { title: messages.cart, body: html`<h1>${messages.cart}</h1>${baskets.length === 0 ? empty : full}` };
}

function basketSection(visit: Visit, basket: Basket, stock: Stock, hasTitle: boolean): Html {
  const { messages, language } = visit;
  const isInStock = basket.lines.every(({ product, quantity }) => (stock.get(product.id) ?? 0) >= quantity);
  const total = formatMoney(basket.total, language);
  return html`<section class="panel">
    ${hasTitle && html`<h2>${messages.inCurrency(basket.currency)}</h2>`}
    <ul class="lines">${basket.lines.map((line) => cartLine(visit, line, stock.get(line.product.id) ?? 0))}</ul>
    <p class="sum"><span>${messages.total}</span> <strong>${total}</strong></p>
    ${isInStock && html`<a class="button wide" href="/checkout/${basket.currency}">${messages.order}</a>`}
  </section>`;
}

function cartLine(visit: Visit, { product, quantity }: CartLine, left: number): Html {
  const { messages, language } = visit;
  const name = product.name[language];
  const price = { ...product.price, minor: product.price.minor * quantity };
  return html`<li class="line">
    ${illustration(product.id)}
    <div class="line-text"><p class="line-name">${name}</p>
      ${quantity > 1 && html`<p class="hint">${formatMoney(product.price, language)} / ${messages.each}</p>`}
      ${left < quantity && html`<p class="problem">${messages.notEnough(left)}</p>`}
      <form class="stepper" method="post" action="/cart/${product.id}">
        ${formToken(visit)}
        <button name="quantity" value="${quantity - 1}" aria-label="${quantity === 1 ? messages.removeName(name) : messages.fewer(name)}">−</button>
        <output>${quantity}</output>
        <button name="quantity" value="${quantity + 1}" aria-label="${messages.more(name)}">+</button>
      </form></div>
    <p class="line-price">${formatMoney(price, language)}</p>
  </li>`;
}
