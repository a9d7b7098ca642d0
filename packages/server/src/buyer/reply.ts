import type { Page } from "../pages/page.ts";

/** What a buyer route answers. */
export type Reply =
  | { readonly say: "go"; readonly url: string }
  | PageReply
  | { readonly say: "data"; readonly status: number; readonly data: Readonly<Record<string, string>> };

export type PageReply = { readonly say: "page"; readonly status: number; readonly page: Page };

export function go(url: string): Reply {
  return { say: "go", url };
}

/** A page that only says something; `more` adds what it knows of the payment. */
export function showPage(name: Page["name"], status: number, more: Partial<Page> = {}): PageReply {
  return {
    say: "page",
    status,
    page: { name, payment: null, shopUrl: null, shopName: null, actionUrl: null, watch: null, ...more },
  };
}
