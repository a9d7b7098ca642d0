import { loadPeer } from "../harness/contender.ts";
import type { Call } from "./contenders.ts";
import { session } from "./session.ts";

type Undici = {
  Pool: new (
    origin: string,
    options: object,
  ) => { request(options: object): Promise<{ statusCode: number; body: { json(): Promise<unknown> } }> };
};

/** The request of bare-call.ts over undici's connection pool. */
export function undiciCall(baseUrl: string): Call {
  const { Pool } = loadPeer<Undici>("undici");
  const pool = new Pool(baseUrl, { connections: 128 });
  return async () => {
    const headers = {
      accept: "application/json",
      "content-type": "application/json",
      "x-api-key": "bench",
      "idempotency-key": crypto.randomUUID(),
    };
    const request = { path: "/v1/checkout-sessions", method: "POST", headers, body: JSON.stringify(session) };
    const { body } = await pool.request(request);
    return body.json();
  };
}
