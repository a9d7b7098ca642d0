import { type AddressFault, addressRule } from "@tillkit/client";

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
  webhookAddress: "Webhook address, which the app registers at the payment service",
  isSet: "A key is stored.",
  isNotSet: "No key yet.",
  keepKey: "Leave both fields empty to keep the stored key.",
  webhookSecretHint: "Leave this empty: the app registers its webhook at the payment service itself.",
  removeKey: "Remove this key",
  gatewayName: "Name of the manual payment method",
  gatewayHint: "Exactly as in your shop under Settings, Payments. Orders with other payment methods are not changed.",
  testGatewayName: "Name of a payment method for tests (optional)",
  testGatewayHint:
    "A second manual payment method, such as “Test, do not use”. Orders with it are paid with the test key and cost no real money. Deactivate it in Shopify before customers can choose it.",
  logo: "Address of your logo (optional)",
  logoHint:
    "Shown on the pages that your customers see after the payment page. An address that begins with https://, such as the one of a picture under Content, Files.",
  color: "Colour of the buttons (optional)",
  colorHint: "Six digits after #, as in your theme. The text on the buttons is black or white, whichever reads better.",
  /** What the stored settings allow now. */
  nowPossible: {
    heading: "What works now",
    development:
      "This is a development store: all its orders are tests. They are paid with the test key and cost no real money.",
    tests: (name: string) => `Orders with “${name}” are tests and cost no real money.`,
    testsLackKey: "Test orders cannot be paid yet: enter the test key.",
    sales: (name: string) => `Orders with “${name}” are paid with real money.`,
    salesLackKey: (name: string) => `Orders with “${name}” cannot be paid yet: enter the live key.`,
    freeOrders: (name: string) =>
      `Customers who choose “${name}” pay nothing. Deactivate this method in Shopify when your tests are done.`,
    noTests: "To try a purchase without real money, enter the test key and the name of a payment method for tests.",
  },
  accessDenied: (operation: string) =>
    `Shopify denies this app a part of your shop (${operation}). In the app’s settings at Shopify, check the access to protected customer data and the scopes, then save these settings again.`,
  paused: "Accept no payments for now",
  pausedHint: "Shoppers can still complete payments that they have started.",
  save: "Save",
  done: {
    saved: "Saved.",
    retried: "We are trying again. Reload this page in a minute.",
    ended: "You recorded this refund on the order, so nothing is left to do.",
    by_hand: "Nothing was done: another attempt cannot help. Record the refund on the order by hand, then say so here.",
    retryable: "Nothing was done: this can be tried again.",
    under_way: "Nothing was done: this is being tried again already. Reload this page in a minute.",
    gone: "Nothing was done: this ended in the meantime.",
    removed:
      "The key is removed. Delete the webhook at the payment service as well. Payments made with this key can no longer be refunded here.",
    not_checked:
      "Saved. The payment service did not answer, so the key could not be checked. Enter it again in a minute to check it.",
    no_webhook:
      "Saved. The key works, but no webhook leads to this app yet, so payments are noticed later. Enter the key again and leave the webhook secret empty: the app then registers its webhook.",
  },
  next: "If you have not done so yet, activate the payment method in your shop.",
  activate: "Activate in Shopify",
  mistakes: {
    wrongMode: (mode: Mode) => `The key entered for ${mode} mode is a key of the other mode.`,
    notAKey: (mode: Mode) =>
      `The key entered for ${mode} mode is not a secret key. A secret key begins with svc_sk_${mode}_.`,
    notASecret: (mode: Mode) => `The webhook secret entered for ${mode} mode is not valid. It begins with whsec_.`,
    keyMissing: (mode: Mode) => `For ${mode} mode, enter the secret key too.`,
    refused: (mode: Mode) => `The payment service does not accept the key entered for ${mode} mode. It was not saved.`,
    not_registered: (mode: Mode) =>
      `The webhook for ${mode} mode could not be registered, so its key was not saved. Save again in a minute, or enter the address below at the payment service yourself and the webhook secret here.`,
    paymentsOpen: (mode: Mode) =>
      `Payments in ${mode} mode are not finished yet, and they need this key. Accept no payments for now, and remove the key when they are finished (up to three days).`,
    gateway: "Enter the name of the manual payment method.",
    sameGateway: "The payment method for tests needs another name than the one that sells.",
    logo: (fault: AddressFault) => `The address of the logo ${addressRule(fault)}.`,
    color: "The colour needs # and six digits, such as #0b6b4f.",
    notSaved: "Some of these settings could not be saved. Check them and save again.",
    shopifyNotInformed: "Your settings are saved, but Shopify has not received them yet. Save again in a minute.",
  },
  attention: "This needs your attention",
  /** Work that stopped and waits for the owner. `about` is an amount or an order, and Shopify's id. */
  deadJobs: {
    refund_not_recorded: (about: string) =>
      `A refund was paid, but Shopify no longer accepts it. Record it on the order by hand. ${about}`,
    not_delivered: (about: string) =>
      `We could not tell Shopify how a refund, capture or void ended. Try again. ${about}`,
    not_finished: (about: string) =>
      `A refund, capture or void that Shopify asked for stopped before it was finished. Try again: money goes back at most once. ${about}`,
    refund_not_paid: (about: string) =>
      `A refund of your shop stopped, and your customer may not have the money. Try again: money goes back at most once. ${about}`,
  },
  reconnect: "Shopify refuses our access. Open the app again from your shop’s admin.",
  tryAgain: "Try again",
  recordedByHand: "I have recorded it by hand",
  notices: { hold: "To check", note: "Note", refund: "Refund", request: "Customer data request" },
  dataFile: "Download the file with this data",
  noticesHeading: "Recent activity",
  noNotices: "Nothing needs your attention.",
  unsupportedVersion: (version: string) =>
    `Shopify no longer supports version ${version} of its API. The operator of this app must update it.`,
  open: "Open the settings",
};
