/** What a server answered. */
export type Answer<Body> = { readonly status: number; readonly body: Body; readonly text: string; readonly ms: number };

/** Calls one server, always with the same headers; the caller knows what the body is when all goes well. */
export type Call = <Body = unknown>(method: string, path: string, body?: unknown) => Promise<Answer<Body>>;

export function caller(url: () => string, headers: Readonly<Record<string, string>>): Call {
  return async <Body>(method: string, path: string, body?: unknown) => {
    const startedAt = performance.now();
    const answer = await fetch(`${url()}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: parsed(text) as Body, text, ms: performance.now() - startedAt };
  };
}

/** The body of an answer that has to be a good one. @throws Error with what the server said */
export async function good<Body>(asked: Promise<Answer<Body>>): Promise<Body> {
  const { status, body, text } = await asked;
  if (status < 300) return body;
  throw new Error(`The server answered ${status}: ${text.slice(0, 1_000)}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
