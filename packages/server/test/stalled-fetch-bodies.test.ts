import { expect, onTestFinished, test } from "vitest";
import { createFetchHandler } from "../src/http/fetch-handler.ts";

test("a host of the fetch standard refuses bodies beyond 32 MB in all, and still takes a small one", async () => {
  const handle = createFetchHandler((request, response) => {
    request.resume().on("end", () => response.end("taken"));
  });
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  onTestFinished(() => {
    for (const stream of streams) stream.error(new Error("The sender has gone."));
  });
  const stalled = Array.from({ length: 200 }, () => {
    const body = new ReadableStream<Uint8Array>({ start: (stream) => void streams.push(stream) });
    const headers = { "Content-Length": String(256 * 1024) };
    return handle(
      new Request("http://shop.example/", { method: "POST", headers, body, duplex: "half" } as RequestInit),
    );
  });
  let refused = 0;
  for (const answer of stalled) {
    answer.then(
      ({ status, headers }) => {
        if (status === 503 && headers.get("retry-after") === "1") refused += 1;
      },
      () => undefined,
    );
  }
  await expect.poll(() => refused).toBeGreaterThanOrEqual(72);
  const small = await handle(new Request("http://shop.example/", { method: "POST", body: "{}" }));
  expect([small.status, await small.text()]).toEqual([200, "taken"]);
});
