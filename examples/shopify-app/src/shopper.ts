/** A page in a browser without JavaScript. */
export type Page = { readonly url: string; readonly html: string };

export async function openPage(url: string): Promise<Page> {
  return await pageOf(await fetch(url));
}

/** Submits the first form of a page with these fields and its hidden fields, and follows redirects. */
export async function submitForm({ url, html }: Page, fields: Readonly<Record<string, string>> = {}): Promise<Page> {
  const [form] = /<form\b.*?<\/form>/s.exec(html) ?? [];
  if (!form) throw new Error(`${url} has no form.`);
  const action = attribute(form, "action") ?? url;
  const hidden = [...form.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)].map(([input]): [string, string] => [
    attribute(input, "name") ?? "",
    attribute(input, "value") ?? "",
  ]);
  const body = new URLSearchParams({ ...Object.fromEntries(hidden), ...fields });
  return await pageOf(await fetch(new URL(action, url), { method: "POST", body }));
}

/** Opens the first link of a page. */
export async function followLink({ url, html }: Page): Promise<Page> {
  const [link] = /<a\b[^>]*href="[^"]*"[^>]*>/.exec(html) ?? [];
  return await openPage(new URL(attribute(link ?? "", "href") ?? "", url).href);
}

export function heading({ html }: Page): string {
  return (/<h1\b[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? "no heading").replace(/<[^>]*>/g, "").trim();
}

async function pageOf(response: Response): Promise<Page> {
  const html = await response.text();
  if (response.ok) return { url: response.url, html };
  throw new Error(`${response.url} answered ${response.status}.`);
}

function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
  return (
    found?.replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code))).replaceAll("&amp;", "&") ?? null
  );
}
