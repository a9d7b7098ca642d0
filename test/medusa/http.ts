/** A server's answer to one request. `ms` is the time it took. */
export type HttpAnswer<Body> = {
  readonly status: number;
  readonly body: Body;
  readonly text: string;
  readonly ms: number;
};

/** Sends a request with fixed headers. `Body` is the type of the body when the request succeeds. */
export type Call = <Body = unknown>(method: string, path: string, body?: unknown) => Promise<HttpAnswer<Body>>;

export function createCaller(url: () => string, headers: Readonly<Record<string, string>>): Call {
  return async <Body>(method: string, path: string, body?: unknown) => {
    const startedAt = performance.now();
    const answer = await fetch(`${url()}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: parseJson(text) as Body, text, ms: performance.now() - startedAt };
  };
}

/** The body of a successful answer. @throws Error with the server's text for any other status */
export async function expectOk<Body>(request: Promise<HttpAnswer<Body>>): Promise<Body> {
  const { status, body, text } = await request;
  if (status < 300) return body;
  throw new Error(`The server answered ${status}: ${text.slice(0, 1_000)}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
