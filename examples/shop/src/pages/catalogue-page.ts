import { formatMoney } from "@tillkit/core";
import { CATALOGUE, type Product } from "../catalogue.ts";
import { type Html, html } from "../html.ts";
import { illustration } from "../illustrations.ts";
import type { Visit } from "../visit.ts";
import { formToken, type Page } from "./layout.ts";

/** The catalogue, with the products in dollars for shoppers abroad in a separate section. */
export function frontPage(visit: Visit, stock: ReadonlyMap<string, number>): Page {
  const { messages } = visit;
  const inFrancs = CATALOGUE.filter(({ price }) => price.currency === "XOF");
  const inDollars = CATALOGUE.filter(({ price }) => price.currency !== "XOF");
  return {
    title: messages.welcome,
    body: html`
      <div class="hero"><h1>${messages.welcome}</h1><p>${messages.welcomeText}</p></div>
      <section aria-labelledby="shelf"><h2 id="shelf">${messages.shelf}</h2>
        <ul class="shelf">${inFrancs.map((product) => productCard(visit, product, stock))}</ul></section>
      <section aria-labelledby="away"><h2 id="away">${messages.away}</h2>
        <ul class="shelf wide">${inDollars.map((product) => productCard(visit, product, stock))}</ul></section>`,
  };
}

function productCard(visit: Visit, product: Product, stock: ReadonlyMap<string, number>): Html {
  const { messages, language } = visit;
  const name = product.name[language];
  const left = stock.get(product.id) ?? 0;
  return html`<li class="card">
    ${illustration(product.id)}
    <h3>${name}</h3>
    <p class="about">${product.about[language]}</p>
    ${left === 1 && html`<p class="tag">${messages.lastOne}</p>`}
    <p class="price">${formatMoney(product.price, language)}</p>
    ${left === 0 ? html`<p class="tag sold">${messages.soldOut}</p>` : addForm(visit, product, name)}
  </li>`;
}

function addForm(visit: Visit, product: Product, name: string): Html {
  const { messages } = visit;
  return html`<form method="post" action="/cart">
    ${formToken(visit)}<input type="hidden" name="product" value="${product.id}">
    <button aria-label="${messages.addName(name)}">${messages.add}</button></form>`;
}
