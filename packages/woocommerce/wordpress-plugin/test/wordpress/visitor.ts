import { OWNER, type Site } from "./site.ts";

export type Page = {
  readonly status: number;
  readonly url: string;
  readonly html: string;
  /** The words that a person reads: the body without tags, scripts and styles. */
  readonly words: string;
};

/** A browser without scripts: it keeps cookies, follows redirects, and submits forms with the nonces that it finds in them. */
export type Visitor = {
  get(path: string): Promise<Page>;
  post(path: string, fields: Readonly<Record<string, string | Blob>>): Promise<Page>;
};

export function createVisitor({ url }: Pick<Site, "url">, language = "en"): Visitor {
  const cookies = new Map<string, string>();

  async function request(address: string, init: RequestInit): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(new URL(address, `${url}/`), {
      ...init,
      headers: { Cookie: cookie, "Accept-Language": language },
      redirect: "manual",
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const target = answer.headers.get("location");
    if (target !== null && [301, 302, 303].includes(answer.status)) {
      await answer.body?.cancel();
      return request(new URL(target, answer.url).href, { method: "GET" });
    }
    const html = await answer.text();
    return { status: answer.status, url: answer.url, html, words: wordsOf(html) };
  }

  return {
    get: (path) => request(path, { method: "GET" }),
    post(path, fields) {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) {
        if (typeof value === "string") body.set(name, value);
        else body.set(name, value, "tillkit-checkout.zip");
      }
      return request(path, { method: "POST", body });
    },
  };
}

function wordsOf(html: string): string {
  const [, body = html] = /<body[^>]*>([\s\S]*)<\/body>/.exec(html) ?? [];
  const text = body.replace(/<(script|style)[\s\S]*?<\/\1>/g, " ").replace(/<[^>]+>/g, " ");
  const plain = text.replace(/&(?:nbsp|#160);|[\u00a0\u202f]/g, " ").replace(/\s+/g, " ");
  return plain
    .replace(/&#0?39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");
}

/** Signs in as a person does, on WordPress's own page. The owner by default. */
export async function signIn(site: Site, { name, password } = OWNER): Promise<Visitor> {
  const visitor = createVisitor(site);
  await visitor.get("/wp-login.php");
  const page = await visitor.post("/wp-login.php", { log: name, pwd: password, testcookie: "1" });
  if (!page.url.includes("/wp-admin/")) throw new Error(`${name} could not sign in: ${page.url}`);
  return visitor;
}

/** The value of a hidden field, for example a nonce. @throws Error if the page has no such field */
export function hiddenField({ html, words }: Page, name: string): string {
  const [tag = ""] = new RegExp(`<input[^>]*name=["']${name}["'][^>]*>`).exec(html) ?? [];
  const [, value] = /value=["']([^"']*)["']/.exec(tag) ?? [];
  if (value === undefined) throw new Error(`The page has no field ${name}: ${words.slice(0, 500)}`);
  return value;
}

/** The address of the first link that contains the words. @throws Error if there is none */
export function linkWith({ html, url }: Page, words: string): string {
  const links = [...html.matchAll(/href=["']([^"']+)["']/g)].map(([, href = ""]) =>
    href.replaceAll(/&(?:amp|#0?38);/g, "&"),
  );
  const found = links.find((href) => href.includes(words));
  if (found === undefined) throw new Error(`The page has no link with ${words}.`);
  return new URL(found, url).href;
}
