import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { SendBy, Transport } from "@tillkit/client";

export type ShopRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** A larger body of the answer is refused, also one that was compressed. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** The request is not sent after this moment, which is compared right before its first byte. */
  readonly sendBy: SendBy | undefined;
};

export type ShopAnswer = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

/** Sends one request to the shop. Follows no redirect, because a POST would become a GET and succeed. */
export async function sendRequest(transport: Transport, request: ShopRequest): Promise<ShopAnswer> {
  const { body, ...rest } = request;
  const answer = await transport({
    ...rest,
    headers: { "user-agent": USER_AGENT, ...rest.headers, "accept-encoding": "gzip" },
    body: body === undefined ? undefined : new TextEncoder().encode(body),
    reuseConnection: true,
  });
  const isPacked = answer.headers["content-encoding"] === "gzip";
  const bytes = isPacked ? await unpack(answer.body, { maxOutputLength: request.maxBytes }) : answer.body;
  return { status: answer.status, headers: answer.headers, text: Buffer.from(bytes).toString("utf8") };
}

const unpack = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(gunzip);

/** Firewalls refuse requests of programs that do not name themselves. */
const USER_AGENT = "Tillkit checkout server";
