/** The session data `opens` of a shopper who only chooses the method. The storefront sends it too, so it needs nothing of a server. */
export const AT_PAY = "at_pay";
