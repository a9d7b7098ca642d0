import type { ShopperTexts } from "./texts.ts";

export const english: ShopperTexts = {
  pages: {
    waiting: {
      heading: "Your payment is being confirmed",
      lines: [
        "If a request appears on your phone, approve it there.",
        "Do not pay a second time. You may close this page: if the payment goes through, your order is paid all the same.",
      ],
      action: null,
    },
    paid: {
      heading: "Thank you, your payment has arrived",
      lines: ["The shop is updating your order. There is nothing more for you to do."],
      action: "Back to the shop",
    },
    alreadyPaid: {
      heading: "This order is already paid",
      lines: ["There is nothing more to pay."],
      action: "Back to the shop",
    },
    declined: {
      heading: "The payment did not go through",
      lines: [
        "Your order is not paid yet. You can try again, the same way or another.",
        "If you have just approved it on your phone, wait a little longer.",
      ],
      action: "Try again",
    },
    duplicate: {
      heading: "This order had already been paid",
      lines: [
        "We did receive this payment, but the order had been settled by another one before.",
        "Do not pay again. The shop sees both payments: give it the order’s number and the receipt number below to have this one refunded.",
      ],
      action: "Back to the shop",
    },
    held: {
      heading: "The shop is checking your payment",
      lines: [
        "Your payment is on record, it is not lost. Do not pay a second time.",
        "The shop must check a detail of the order. If you write to the shop, give it the number below.",
      ],
      action: "Back to the shop",
    },
    expired: {
      heading: "The time to pay is over",
      lines: [
        "No payment has been confirmed. You can start again now.",
        "If you have already approved it on your phone, wait a little longer before you start again.",
      ],
      action: "Pay now",
    },
    refunded: {
      heading: "This payment is being returned to you",
      lines: [
        "The amount goes back the way you paid it, which can take a few days. If you have a question, write to the shop.",
      ],
      action: "Back to the shop",
    },
    resume: {
      heading: "Your order is not paid yet",
      lines: ["You left the payment page. Nothing is cancelled: you can continue whenever you like."],
      action: "Continue to payment",
    },
    linkBroken: {
      heading: "This link does not work",
      lines: [
        "It may be incomplete. Open it again from the message or page where you found it.",
        "If you have already paid, your payment is on record: the shop can confirm it.",
      ],
      action: "Back to the shop",
    },
    linkForged: {
      heading: "This link is not valid",
      lines: [
        "It was changed, or it does not come from the shop. Do not enter anything.",
        "Go to the shop’s own site to see your order or to pay it.",
      ],
      action: "Back to the shop",
    },
    linkExpired: {
      heading: "This link is no longer valid",
      lines: [
        "It is too old. Go to the shop’s site to see your order or to pay it.",
        "If you have already paid, your payment is on record.",
      ],
      action: "Back to the shop",
    },
    orderGone: {
      heading: "This order no longer exists",
      lines: [
        "The shop cannot find it. Place a new order or write to the shop.",
        "If you have already paid, give the shop the number below.",
      ],
      action: "Back to the shop",
    },
    orderClosed: {
      heading: "This order can no longer be paid",
      lines: [
        "The shop cancelled or closed it. Do not pay.",
        "If you have already paid, give the shop the number below.",
      ],
      action: "Back to the shop",
    },
    orderNotPayable: {
      heading: "This order cannot be paid at the moment",
      lines: [
        "The shop takes no payment for it in its present state. Nothing was charged: ask the shop.",
        "If you have already paid, give the shop the number below.",
      ],
      action: "Back to the shop",
    },
    otherMethod: {
      heading: "This order has another payment method",
      lines: ["It no longer waits for a payment on this page, and nothing was charged. Choose again in the shop."],
      action: "Back to your order",
    },
    orderChanged: {
      heading: "Your order has changed",
      lines: ["It is no longer the order you chose to pay. Check it in the shop, and pay from there."],
      action: "Back to your order",
    },
    tryLater: {
      heading: "One moment, please",
      lines: [
        "We cannot show your payment at the moment. Try again in a minute.",
        "If you have already paid, do not pay a second time: your payment is recorded and will be found.",
      ],
      action: "Try again",
    },
    shopMustAct: {
      heading: "Online payment is closed for the moment",
      lines: ["The shop must check its settings and has been notified. No payment was started."],
      action: "Back to the shop",
    },
    wrongMethod: {
      heading: "Open this page by its link",
      lines: ["This address is a page and accepts no form. Go back and open the link again."],
      action: null,
    },
  },
  order: "Order",
  receiptNumber: "Receipt number",
  testMode: "Test mode: no real money",
  backToShop: "Back to the shop",
  notPaidYet: {
    question: "Not paid yet?",
    answer: "If you have not approved anything, you can go back to the payment page.",
    link: "Back to the payment page",
  },
  otherLanguage: "Français",
  live: {
    updating: "This page updates by itself.",
    recording: "You will be taken back to the shop as soon as your order is up to date.",
    stillWaiting: "Still waiting. This can take a few minutes.",
    weakConnection: "The connection is weak: we keep trying. Your payment is not lost.",
    statusChanged: "We have an answer. The page is being updated.",
  },
};
