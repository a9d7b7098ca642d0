import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";

// A server without logic, which measures the cost of the same posts on this machine.
const answer = JSON.stringify({ redirect_url: "http://127.0.0.1/pay" });
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(200, { "Content-Type": "application/json" }).end(answer));
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
