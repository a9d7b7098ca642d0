import { randomBytes } from "node:crypto";
import type { Language } from "@tillkit/core";
import type { CookieOptions, Request, Response } from "express";
import { type Cart, readCart, writeCart } from "./cart.ts";
import type { FormTokens } from "./form-tokens.ts";
import { type Messages, messagesFor } from "./messages.ts";

/** The data of one visitor's request that every page needs. */
export type Visit = {
  readonly language: Language;
  readonly messages: Messages;
  readonly cart: Cart;
  /** Every form of the page contains this token. A form without it, or with another visitor's token, is rejected. */
  readonly formToken: string;
  /** The page's address without the language parameter, for the language switch. */
  readonly address: string;
};

const VISITOR = "visitor";
const LANGUAGE = "language";
const CART = "cart";
const YEAR_MS = 365 * 24 * 3_600_000;

export type Cookies = { readonly secure: boolean };

export function readVisit(request: Request, response: Response, tokens: FormTokens, cookies: Cookies): Visit {
  const language = readLanguage(request);
  return {
    language,
    messages: messagesFor(language),
    cart: readCart(readCookie(request, CART)),
    formToken: tokens.create(ensureVisitor(request, response, cookies)),
    address: addressWithoutLanguage(request),
  };
}

export function readVisitor(request: Request): string {
  return readCookie(request, VISITOR);
}

export function saveCart(response: Response, cart: Cart, cookies: Cookies): void {
  response.cookie(CART, writeCart(cart), { ...cookieOptions(cookies), maxAge: YEAR_MS });
}

export function saveLanguage(response: Response, language: Language, cookies: Cookies): void {
  response.cookie(LANGUAGE, language, { ...cookieOptions(cookies), maxAge: YEAR_MS });
}

function readLanguage(request: Request): Language {
  const savedLanguage = readCookie(request, LANGUAGE);
  if (savedLanguage === "fr" || savedLanguage === "en") return savedLanguage;
  return request.acceptsLanguages("fr", "en") === "en" ? "en" : "fr";
}

/** Path and query, without `language`. The path gets exactly one slash at its front, because a redirect to `//name` leads to another site. */
export function addressWithoutLanguage(request: Request): string {
  const query = new URLSearchParams(request.originalUrl.split("?")[1]);
  query.delete("language");
  const path = request.path.replace(/^[/\\]+/, "/");
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The visitor's id, which is new when the request has no valid one. */
function ensureVisitor(request: Request, response: Response, cookies: Cookies): string {
  const existing = readVisitor(request);
  if (/^[\w-]{22}$/.test(existing)) return existing;
  const visitor = randomBytes(16).toString("base64url");
  response.cookie(VISITOR, visitor, cookieOptions(cookies));
  return visitor;
}

// Lax: the cookie is sent when the shopper comes back from the hosted page by a link, and not with another site's form.
function cookieOptions({ secure }: Cookies): CookieOptions {
  return { httpOnly: true, sameSite: "lax", secure, path: "/" };
}

function readCookie(request: Request, name: string): string {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const pair = pairs.find((text) => text.startsWith(`${name}=`)) ?? "";
  try {
    return decodeURIComponent(pair.slice(name.length + 1));
  } catch {
    return "";
  }
}
