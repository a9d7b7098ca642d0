import type { Sandbox } from "../src/index.ts";
import { api, type Json } from "./open-sandbox.ts";

export type Page = { status: number; location: string | null; text: string; headers: Headers };

/** A browser without JavaScript, which keeps cookies and does not follow redirects. */
export function openBrowser(language = "en") {
  let cookie = "";
  async function request(url: string, init: RequestInit = {}): Promise<Page> {
    const headers = { "Accept-Language": language, ...(cookie === "" ? {} : { Cookie: cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    const newCookie = response.headers.get("set-cookie")?.split(";")[0];
    if (newCookie !== undefined) cookie = newCookie;
    const location = response.headers.get("location");
    return {
      status: response.status,
      location: location && new URL(location, url).href,
      text: await response.text(),
      headers: response.headers,
    };
  }
  return {
    open: (url: string) => request(url),
    submit: (url: string, fields: Record<string, string>) =>
      request(url, { method: "POST", body: new URLSearchParams(fields) }),
  };
}

const shopper = { name: "Awa Diop", email: "awa@example.test" };
/** A filled-in form that pays by this card. */
export const cardForm = (cardNumber: string, more: Record<string, string> = {}) => ({
  ...shopper,
  method: "card",
  card_number: cardNumber,
  card_expiry: "12/39",
  card_cvc: "123",
  ...more,
});
/** A filled-in form that pays by Wave from this phone number. */
export const waveForm = (phone: string) => ({ ...shopper, method: "wave", mobile_phone: phone });

export const sessionStatus = async (sandbox: Sandbox, session: Json) =>
  (await api(sandbox, `GET /checkout-sessions/${session.id}`)).json.status;

/** The tag of the input with this name; null when the page has none. */
export const inputTag = (page: Page, name: string) =>
  new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(page.text)?.[0] ?? null;
/** The text of the heading of a page. */
export const heading = (page: Page) => /<h1>(.*?)<\/h1>/.exec(page.text)?.[1];
/** The text with an ordinary space in place of each non-breaking space. */
export const withPlainSpaces = (text: string) => text.replace(/\s/g, " ");
