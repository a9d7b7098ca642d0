import { createHmac, timingSafeEqual } from "node:crypto";
import { signWebhook, verifyEvent, verifyWebhook } from "@tillkit/client/webhooks";
import { loadPeer } from "../harness/contender.ts";

type StandardWebhook = {
  sign(id: string, at: Date, body: string): string;
  verify(body: Buffer, headers: object): unknown;
};
type WebhookClass = { Webhook: new (secret: string) => StandardWebhook };
type StripeClient = {
  webhooks: {
    constructEvent(body: Buffer, header: string, secret: string): unknown;
    generateTestHeaderString(options: { payload: string; secret: string }): string;
  };
};

const secret = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;

/** For each library, verifies a signature of the body in the form of that library, and parses the body. All throw when the signature is wrong. */
export function verifiers(body: Buffer): Readonly<Record<string, () => unknown>> {
  return {
    ours: createOurVerifier(body),
    typed: createTypedVerifier(body),
    "crypto + parse": createHandWrittenVerifier(body),
    standardwebhooks: createStandardVerifier("standardwebhooks", "webhook", body),
    svix: createStandardVerifier("svix", "svix", body),
    stripe: createStripeVerifier(body),
  };
}

function createOurVerifier(bytes: Buffer) {
  const signature = signWebhook(bytes, secret);
  return () => {
    if (verifyWebhook({ bytes, signature, secrets: [secret] }) === null) throw new Error("The signature is wrong.");
    return JSON.parse(bytes.toString("utf8"));
  };
}

/** Also reads every field of the event and of its transaction. */
function createTypedVerifier(bytes: Buffer) {
  const signature = signWebhook(bytes, secret);
  return () => verifyEvent({ bytes, signature, secrets: [secret] });
}

/** What a careful program writes by hand with Node alone. */
function createHandWrittenVerifier(body: Buffer) {
  const header = createHmac("sha256", secret).update(body).digest("hex");
  return () => {
    const expected = createHmac("sha256", secret).update(body).digest();
    const received = Buffer.from(header, "hex");
    if (received.length !== expected.length || !timingSafeEqual(received, expected))
      throw new Error("The signature is wrong.");
    return JSON.parse(body.toString("utf8"));
  };
}

function createStandardVerifier(name: string, prefix: string, body: Buffer) {
  const webhook = new (loadPeer<WebhookClass>(name).Webhook)(secret);
  const at = new Date();
  const headers = {
    [`${prefix}-id`]: "msg_1",
    [`${prefix}-timestamp`]: String(Math.floor(at.getTime() / 1_000)),
    [`${prefix}-signature`]: webhook.sign("msg_1", at, body.toString("utf8")),
  };
  return () => webhook.verify(body, headers);
}

function createStripeVerifier(body: Buffer) {
  const Stripe = loadPeer<new (key: string) => StripeClient>("stripe");
  const { webhooks } = new Stripe("sk_test_bench");
  const header = webhooks.generateTestHeaderString({ payload: body.toString("utf8"), secret });
  return () => webhooks.constructEvent(body, header, secret);
}
