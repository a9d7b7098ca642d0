import type { PageContent } from "./page/render-page.ts";

export type ShopperResponse =
  | { readonly kind: "redirect"; readonly url: string }
  | PageResponse
  | { readonly kind: "json"; readonly status: number; readonly data: Readonly<Record<string, string | number>> };

export type PageResponse = { readonly kind: "page"; readonly status: number; readonly page: PageContent };

export function redirectTo(url: string): ShopperResponse {
  return { kind: "redirect", url };
}

/** A page by its name; `content` adds what is known of the payment. */
export function pageResponse(
  name: PageContent["name"],
  status: number,
  content: Partial<PageContent> = {},
): PageResponse {
  return {
    kind: "page",
    status,
    page: {
      name,
      payment: null,
      shopUrl: null,
      shopName: null,
      branding: {},
      actionUrl: null,
      watch: null,
      ...content,
    },
  };
}
