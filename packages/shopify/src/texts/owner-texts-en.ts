type Mode = "test" | "live";

/** The English texts of the pages that the owner of a shop reads. */
export const ownerTextsEn = {
  problems: {
    bad_shop: { title: "This is not a Shopify shop", text: "Open the app from your shop’s admin." },
    forged: {
      title: "This link is not valid",
      text: "The link was changed or does not come from Shopify. Open the app from your shop’s admin.",
    },
    too_old: {
      title: "This link has expired",
      text: "Open the app from your shop’s admin. If this happens again, the clock of our server is wrong.",
    },
    bad_state: {
      title: "The installation was started in another browser",
      text: "Nothing was installed. Open the app from your shop’s admin and finish in the same browser.",
    },
    scopes_missing: {
      title: "A permission is missing",
      text: "The app needs all the permissions it asks for. Nothing was installed. Open the app from your shop’s admin and accept them.",
    },
    shopify_unavailable: {
      title: "Shopify did not answer",
      text: "Nothing was lost. Open the app again from your shop’s admin in a minute.",
    },
    not_signed_in: {
      title: "Open the app from your shop",
      text: "This page shows the settings of one shop, for two hours after you open it from that shop’s admin.",
    },
    form_expired: {
      title: "This form has expired",
      text: "Nothing was saved. Open the app again from your shop’s admin.",
    },
  },
  title: "Payment settings",
  lead: "Your shop takes payments with your own account at the payment service. The keys of your account are stored encrypted.",
  modes: {
    test: { heading: "Test mode", hint: "No real money. Only test orders use these keys." },
    live: { heading: "Live mode", hint: "Real money. Test orders never use these keys." },
  },
  apiKey: "Secret key",
  webhookSecret: "Webhook secret",
  webhookAddress: "Webhook address, to enter at the payment service",
  isSet: "A key is stored.",
  isNotSet: "No key yet.",
  keepKey: "Leave both fields empty to keep the stored key.",
  gatewayName: "Name of the manual payment method",
  gatewayHint: "Exactly as in your shop under Settings, Payments. Orders with other payment methods are not changed.",
  paused: "Accept no payments for now",
  pausedHint: "Shoppers can still complete payments that they have started.",
  save: "Save",
  saved: "Saved.",
  retried: "We are trying again. Reload this page in a minute.",
  next: "If you have not done so yet, activate the payment method in your shop.",
  activate: "Activate in Shopify",
  mistakes: {
    wrongMode: (mode: Mode) => `The key entered for ${mode} mode is a key of the other mode.`,
    notAKey: (mode: Mode) =>
      `The key entered for ${mode} mode is not a secret key. A secret key begins with svc_sk_${mode}_.`,
    notASecret: (mode: Mode) => `The webhook secret entered for ${mode} mode is not valid. It begins with whsec_.`,
    both: (mode: Mode) => `For ${mode} mode, enter the secret key and the webhook secret together.`,
    gateway: "Enter the name of the manual payment method.",
    notSaved: "Some of these settings could not be saved. Check them and save again.",
    shopifyNotInformed: "Your settings are saved, but Shopify has not received them yet. Save again in a minute.",
  },
  attention: "This needs your attention",
  /** Work that waits for the owner. `about` is an amount and Shopify's id. */
  deadLetters: {
    refund_not_recorded: (about: string) =>
      `A refund was paid, but Shopify no longer accepts it. Record it on the order by hand. ${about}`,
    not_delivered: (about: string) =>
      `We could not tell Shopify how a refund, capture or void ended. Try again. ${about}`,
  },
  reconnect: "Shopify refuses our access. Open the app again from your shop’s admin.",
  tryAgain: "Try again",
  notices: { hold: "To check", note: "Note", refund: "Refund", request: "Customer data request" },
  noticesHeading: "Recent activity",
  noNotices: "Nothing needs your attention.",
  unsupportedVersion: (version: string) =>
    `Shopify no longer supports version ${version} of its API. The operator of this app must update it.`,
  open: "Open the settings",
};
