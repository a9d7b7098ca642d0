import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { verifyWebhook } from "@tillkit/client/webhooks";
import { money } from "@tillkit/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { openMailServer } from "./fixtures/mail-server.ts";
import { openMerchant } from "./fixtures/merchant.ts";
import { OPERATOR_TOKEN } from "./fixtures/operator.ts";
import { shopOrder } from "./fixtures/small-shop.ts";

const MINUTE = 60_000;

let receiver: Server;
const received: { body: Buffer; signature: string | undefined }[] = [];
let status = 204;
beforeEach(async () => {
  status = 204;
  received.length = 0;
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ body: Buffer.concat(chunks), signature: request.headersDistinct["x-tillkit-signature"]?.[0] });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  receiver.close();
});

/** A merchant whose alerts go to a mailbox and to the receiver. */
async function open(secret: string) {
  const mailServer = await openMailServer();
  const email = { smtpUrl: mailServer.smtpUrl, from: "till@boutique.example", to: "adjoua@boutique.example" };
  const webhook = { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/alerts`, secret };
  const alerts = { language: "en", email, webhook } as const;
  const merchant = await openMerchant({ options: { operators: { tokens: [OPERATOR_TOKEN] }, alerts } });
  return { merchant, mailServer };
}

test("the alert webhook receives signed counts, and receives a message again until it has accepted the message", async () => {
  const secret = "whsec_of_our_own_alerts";
  const { merchant, mailServer } = await open(secret);
  const { returnPath } = await merchant.startPayment();
  merchant.shop.order = { ...shopOrder, total: money(27_500, "XOF") };
  merchant.service.newest().status = "completed";
  await merchant.get(returnPath);
  status = 500;
  merchant.checkout.startTimer();
  await merchant.clock.advance(5_000);
  await waitFor(() => expect(received).toHaveLength(1));
  status = 204;
  for (let minute = 0; minute < 3; minute += 1) await merchant.clock.advance(MINUTE);
  await waitFor(() => expect(received).toHaveLength(2));
  const [first, second] = received;
  const { body = Buffer.alloc(0), signature } = second ?? {};
  expect(verifyWebhook({ bytes: body, signature, secrets: [secret] })).toEqual({ secretIndex: 0 });
  const message = JSON.parse(body.toString());
  expect(message).toMatchObject({ type: "tillkit.alert", added: { held: 1 }, active: { held: 1 } });
  expect(message.operators_url).toBe(`${merchant.url}/operators`);
  expect(message.id).toBe(JSON.parse(first?.body.toString() ?? "").id);
  await waitFor(() => expect(mailServer.received).toHaveLength(1));
  for (let minute = 0; minute < 20; minute += 1) await merchant.clock.advance(MINUTE);
  expect(received).toHaveLength(2);
  await merchant.close();
  await mailServer.close();
});
