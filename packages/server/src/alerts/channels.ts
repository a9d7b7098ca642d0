import { createNodeFetch } from "@tillkit/client";
import { signWebhook } from "@tillkit/client/webhooks";
import { serverLimits } from "../limits.ts";

/** What a channel sends. `added` and `active`: how many alerts of each kind. */
export type ChannelMessage = {
  /** The same alerts have the same id, so that a receiver recognises a repeated message. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
  readonly added: Readonly<Partial<Record<string, number>>>;
  readonly active: Readonly<Partial<Record<string, number>>>;
  readonly operatorsUrl: string | null;
};

/** A way to send alerts. `send` rejects when the message was not delivered. */
export type Channel = { readonly name: "email" | "webhook"; send(message: ChannelMessage, at: number): Promise<void> };

export type EmailOptions = {
  /** `smtp://user:password@mail.example:587` (TLS where the server offers it) or `smtps://…`. */
  readonly smtpUrl: string;
  readonly from: string;
  /** One address, or several separated by commas. */
  readonly to: string;
};

export type AlertWebhookOptions = {
  readonly url: string;
  /** The key of the signature of each message; 16 characters or more. */
  readonly secret: string;
};

export function createEmailChannel({ smtpUrl, from, to }: EmailOptions): Channel {
  return {
    name: "email",
    async send({ subject, text }) {
      // Loaded with the first e-mail: most processes never send any e-mail.
      const { createTransport } = await import("nodemailer");
      const timeout = serverLimits.alertSendTimeoutMs;
      const timeouts = { connectionTimeout: timeout, greetingTimeout: timeout, socketTimeout: timeout };
      const transport = createTransport({ url: smtpUrl, ...timeouts });
      try {
        await transport.sendMail({ from, to, subject, text, headers: { "Auto-Submitted": "auto-generated" } });
      } finally {
        transport.close();
      }
    },
  };
}

/** `X-Tillkit-Signature`: HMAC-SHA256 of the body's bytes in lower-case hex, as the service signs its own webhooks. */
export function createWebhookChannel({ url, secret }: AlertWebhookOptions): Channel {
  const fetchOnce = createNodeFetch();
  return {
    name: "webhook",
    async send({ id, subject, text, added, active, operatorsUrl }, at) {
      const message = { id, type: "tillkit.alert", at: new Date(at).toISOString(), subject, text, added, active };
      const bytes = Buffer.from(JSON.stringify({ ...message, operators_url: operatorsUrl }));
      const answer = await fetchOnce(url, {
        method: "POST",
        body: bytes,
        headers: { "Content-Type": "application/json", "X-Tillkit-Signature": signWebhook(bytes, secret) },
        signal: AbortSignal.timeout(serverLimits.alertSendTimeoutMs),
      });
      await answer.body?.cancel();
      if (!answer.ok)
        throw Object.assign(new Error(`The webhook answered ${answer.status}.`), { code: `http_${answer.status}` });
    },
  };
}
