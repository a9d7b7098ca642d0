import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";

// A server that does nothing: what the machine itself needs for the same posts.
const answer = JSON.stringify({ redirect_url: "http://127.0.0.1/pay" });
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(200, { "Content-Type": "application/json" }).end(answer));
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
