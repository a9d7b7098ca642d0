import type { Sandbox } from "../src/index.ts";
import { api, type Json } from "./open-sandbox.ts";

export type Page = { status: number; location: string | null; text: string; headers: Headers };

/** A browser without JavaScript, which keeps cookies and does not follow redirects. */
export function openBrowser(language = "en") {
  let cookie = "";
  async function ask(url: string, init: RequestInit = {}): Promise<Page> {
    const headers = { "Accept-Language": language, ...(cookie === "" ? {} : { Cookie: cookie }) };
    const answer = await fetch(url, { ...init, headers, redirect: "manual" });
    const set = answer.headers.get("set-cookie")?.split(";")[0];
    if (set !== undefined) cookie = set;
    const location = answer.headers.get("location");
    return {
      status: answer.status,
      location: location && new URL(location, url).href,
      text: await answer.text(),
      headers: answer.headers,
    };
  }
  return {
    open: (url: string) => ask(url),
    submit: (url: string, fields: Record<string, string>) =>
      ask(url, { method: "POST", body: new URLSearchParams(fields) }),
  };
}

const shopper = { name: "Awa Diop", email: "awa@example.test" };
export const card = (number: string, more: Record<string, string> = {}) => ({
  ...shopper,
  method: "card",
  card_number: number,
  card_expiry: "12/39",
  card_cvc: "123",
  ...more,
});
export const wave = (phone: string) => ({ ...shopper, method: "wave", mobile_phone: phone });

export const statusOf = async (sandbox: Sandbox, session: Json) =>
  (await api(sandbox, `GET /checkout-sessions/${session.id}`)).json.status;

/** The tag of the input with this name; null when the page has none. */
export const input = (page: Page, name: string) =>
  new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(page.text)?.[0] ?? null;
export const heading = (page: Page) => /<h1>(.*?)<\/h1>/.exec(page.text)?.[1];
export const withPlainSpaces = (text: string) => text.replace(/\s/g, " ");
