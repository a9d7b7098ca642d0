import { Agent as HttpAgent, request as openHttp } from "node:http";
import { Agent as HttpsAgent, request as openHttps } from "node:https";
import type { Call } from "./contenders.ts";
import { session } from "./session.ts";

/** What a careful program writes by hand with Node alone: kept connections, JSON out and in. No deadline, no retry, no limit. */
export function bareCall(baseUrl: string): Call {
  const isPlain = baseUrl.startsWith("http:");
  const open = isPlain ? openHttp : openHttps;
  const settings = { keepAlive: true, maxSockets: 128, maxFreeSockets: 128 };
  const agent = isPlain ? new HttpAgent(settings) : new HttpsAgent(settings);
  const url = `${baseUrl}/v1/checkout-sessions`;
  return () =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify(session);
      const headers = {
        accept: "application/json",
        "content-type": "application/json",
        "x-api-key": "bench",
        "idempotency-key": crypto.randomUUID(),
        "content-length": Buffer.byteLength(body),
      };
      const outgoing = open(url, { method: "POST", headers, agent });
      outgoing.on("error", reject);
      outgoing.on("response", (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString("utf8"))));
      });
      outgoing.end(body);
    });
}
