import { createNodeFetch } from "@tillkit/client";

const WAIT_MS = 10_000;

/** `facts` is empty unless the body is a JSON object. */
export type Answer = {
  readonly status: number;
  readonly date: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
};

/** Requests a URL once, without following redirects. A POST sends an empty JSON object. Null: no answer came within ten seconds. */
export async function ask(url: string, method: "GET" | "POST" = "GET"): Promise<Answer | null> {
  const body = method === "POST" ? { body: "{}", headers: { "Content-Type": "application/json" } } : {};
  try {
    const response = await createNodeFetch()(url, { method, ...body, signal: AbortSignal.timeout(WAIT_MS) });
    const text = await response.text();
    return { status: response.status, date: response.headers.get("date"), facts: parseFacts(text) };
  } catch {
    return null;
  }
}

function parseFacts(text: string): Answer["facts"] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Answer["facts"]) : {};
  } catch {
    return {};
  }
}
