import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "@tillkit/core";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import { afterEach, expect, test } from "vitest";
import { formBodies, rawBodies } from "../src/index.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

test.each([
  ["express.raw()", express.raw({ type: "*/*" })],
  ["a parser that keeps `rawBody`", keepingRawBody(express.json())],
])("a platform's signed call is read as its exact bytes behind %s", async (_name, parser) => {
  const post = await open(parser, rawBodies(100, systemClock));
  expect(await post('{ "a": 1.0 }')).toEqual({ status: 200, body: 'bytes { "a": 1.0 }' });
  expect(await post(`{"a":"${"x".repeat(200)}"}`)).toMatchObject({ status: 413 });
});

test("a platform's signed call of which the host kept no bytes is left as it was parsed", async () => {
  const post = await open(express.json(), rawBodies(100, systemClock));
  expect(await post('{ "a": 1.0 }')).toEqual({ status: 200, body: 'value {"a":1}' });
});

test("an owner's form has its fields behind express.raw()", async () => {
  const post = await open(express.raw({ type: "*/*" }), formBodies(100, systemClock));
  expect(await post("amount=5000&by=Awa", "application/x-www-form-urlencoded")).toEqual({
    status: 200,
    body: 'value {"amount":"5000","by":"Awa"}',
  });
});

/** A server whose host reads bodies by `parser`. Its answers say what `ours` made of a body. */
async function open(parser: RequestHandler, ours: RequestHandler) {
  const app = express();
  app.use(parser, ours, (request, response) => {
    const { body } = request;
    response.send(body instanceof Uint8Array ? `bytes ${Buffer.from(body)}` : `value ${JSON.stringify(body)}`);
  });
  const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
    response.sendStatus(error.status);
  };
  app.use(answerError);
  const server = createServer(app).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  closers.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return async function post(body: string, type = "application/json") {
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: "POST",
      headers: { "Content-Type": type },
      body,
    });
    return { status: answer.status, body: await answer.text() };
  };
}

function keepingRawBody(parser: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => Object.assign(request, { rawBody: Buffer.concat(chunks) }));
    parser(request, response, next);
  };
}
