import { signWebhook } from "@tillkit/client/webhooks";
import { hostLimits } from "../limits.ts";
import type { AlertMessage } from "./alert-message.ts";

/** A way to reach people. `send` rejects when the message did not get through. */
export type Channel = { readonly name: "email" | "webhook"; send(message: AlertMessage, at: number): Promise<void> };

export type EmailOptions = {
  /** `smtp://user:password@mail.example:587` (TLS where the server offers it) or `smtps://…`. */
  readonly smtpUrl: string;
  readonly from: string;
  /** One address, or several with commas between them. */
  readonly to: string;
};

export type AlertWebhookOptions = {
  readonly url: string;
  /** Signs each body: 16 characters or more. */
  readonly secret: string;
};

export function emailChannel({ smtpUrl, from, to }: EmailOptions): Channel {
  return {
    name: "email",
    async send({ subject, text }) {
      // Loaded when the first mail goes out: most starts never need it.
      const { createTransport } = await import("nodemailer");
      const timeout = hostLimits.alertSendMs;
      const waits = { connectionTimeout: timeout, greetingTimeout: timeout, socketTimeout: timeout };
      const transport = createTransport({ url: smtpUrl, ...waits });
      try {
        await transport.sendMail({ from, to, subject, text, headers: { "Auto-Submitted": "auto-generated" } });
      } finally {
        transport.close();
      }
    },
  };
}

/** `X-Tillkit-Signature`: HMAC-SHA256 of the body's bytes in lower-case hex, as the service signs its own webhooks. */
export function webhookChannel({ url, secret }: AlertWebhookOptions): Channel {
  return {
    name: "webhook",
    async send({ id, subject, text, news, open, operatorsUrl }, at) {
      const told = { id, type: "tillkit.alert", at: new Date(at).toISOString(), subject, text, news, open };
      const bytes = Buffer.from(JSON.stringify({ ...told, operators_url: operatorsUrl }));
      const answer = await fetch(url, {
        method: "POST",
        body: bytes,
        headers: { "Content-Type": "application/json", "X-Tillkit-Signature": signWebhook(bytes, secret) },
        redirect: "error",
        signal: AbortSignal.timeout(hostLimits.alertSendMs),
      });
      await answer.body?.cancel();
      if (!answer.ok)
        throw Object.assign(new Error(`It answered ${answer.status}.`), { code: `http_${answer.status}` });
    },
  };
}
