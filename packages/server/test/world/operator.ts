import type { MerchantWorld } from "./merchant-world.ts";

export const OPERATOR_TOKEN = "the token of this operator, long enough";

/** A person at a browser that keeps cookies, follows no redirect and runs no script. */
export type Operator = {
  open(path: string): Promise<Response>;
  /** Opens `path`, and sends the form there whose action ends with `action`, as a browser would. */
  submit(path: string, action: string, fields?: Record<string, string>): Promise<Response>;
  /** Sends anything, as another site's form would. */
  post(path: string, fields: Record<string, string>): Promise<Response>;
  readonly cookies: Map<string, string>;
};

export function createOperator(world: MerchantWorld): Operator {
  const cookies = new Map<string, string>();

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(new URL(path, world.url), {
      ...init,
      redirect: "manual",
      headers: { cookie, "accept-language": "en" },
    });
    for (const text of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = text.split(";", 1)[0]?.split("=") ?? [];
      if (/Max-Age=0/.test(text)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }

  const post = (path: string, fields: Record<string, string>) =>
    send(path, { method: "POST", body: new URLSearchParams(fields) });

  return {
    cookies,
    open: (path) => send(path),
    post,
    async submit(path, action, fields = {}) {
      const page = await (await send(path)).text();
      const form = [...page.matchAll(/<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].find(([, to = ""]) =>
        to.endsWith(action),
      );
      if (!form) throw new Error(`There is no form for ${action} on ${path}.`);
      const hidden = [...(form[2] ?? "").matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
      const known = Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, plain(value)]));
      return await post(form[1] ?? "", { ...known, ...fields });
    },
  };
}

export async function loggedIn(world: MerchantWorld): Promise<Operator> {
  const operator = createOperator(world);
  const answer = await operator.submit("/operators/login", "/login", { token: OPERATOR_TOKEN });
  if (answer.headers.get("location") !== "/operators") throw new Error(`Not let in: ${answer.status}.`);
  return operator;
}

/** What a person reads of an answer. */
export async function textOf(answer: Response): Promise<string> {
  const page = (await answer.text()).replace(/<style>.*?<\/style>/s, "").replace(/<[^>]+>/g, " ");
  return plain(page).replace(/[\s\u00a0\u202f]+/g, " ");
}

function plain(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
}
