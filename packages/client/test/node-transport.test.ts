import { createNodeTransport, type TransportRequest } from "@tillkit/client";
import { expect, test } from "vitest";
import { neverResponds, responds, startFaultServer } from "./fault-server.ts";

const request = (url: string): TransportRequest => ({
  method: "GET",
  url,
  headers: { accept: "application/json" },
  body: undefined,
  signal: new AbortController().signal,
  maxBytes: 1_000,
  reuseConnection: true,
});

test("a thousand calls, sixty-four at a time, open sixty-four connections", async () => {
  const service = await startFaultServer(responds(200, { id: "1" }));
  const send = createNodeTransport();
  let started = 0;
  const caller = async () => {
    while (started < 1_000) {
      started += 1;
      await send(request(`${service.baseUrl}/checkout-sessions/${started}`));
    }
  };
  await Promise.all(Array.from({ length: 64 }, caller));
  await Promise.all(Array.from({ length: 64 }, () => send(request(service.baseUrl))));
  expect(service.received).toHaveLength(1_064);
  expect(service.connections).toHaveLength(64);
});

test("a transport keeps the path and the query of an address, with or without a path", async () => {
  const service = await startFaultServer(responds(200, {}));
  const send = createNodeTransport();
  for (const path of ["", "/", "/v1/transactions?limit=2&cursor=a%2Fb", "/v1//x"])
    await send(request(service.baseUrl + path));
  expect(service.received.map(({ url }) => url)).toEqual(["/", "/", "/v1/transactions?limit=2&cursor=a%2Fb", "/v1//x"]);
});

test("a transport joins cookies that a gateway adds to a response", async () => {
  const service = await startFaultServer((response) => {
    response.setHeader("set-cookie", ["a=1", "b=2"]);
    response.end("{}");
  });
  const { headers } = await createNodeTransport()(request(service.baseUrl));
  expect(headers["set-cookie"]).toBe("a=1, b=2");
});

test("a request ends when its signal aborts, before and after it is sent", async () => {
  const service = await startFaultServer(neverResponds);
  const send = createNodeTransport();
  const caller = new AbortController();
  const sent = send({ ...request(service.baseUrl), signal: caller.signal });
  setTimeout(() => caller.abort(), 20);
  await expect(sent).rejects.toThrow("The call ended.");
  await expect(send({ ...request(service.baseUrl), signal: AbortSignal.abort() })).rejects.toThrow("The call ended.");
});
