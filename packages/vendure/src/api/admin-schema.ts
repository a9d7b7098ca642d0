import { type DocumentNode, parse } from "graphql";

/** What the plugin adds to Vendure's Admin API. */
export const adminSchema: DocumentNode = parse(`
  "A payment, with texts and amounts for the shop's owner."
  type TillkitPayment {
    id: String!
    orderCode: String!
    state: String!
    amount: String!
    createdAt: DateTime!
    transactionId: String
    headline: String!
    "Why the payment is held: the difference between the payment and its order."
    finding: String
    "Where the payment's money is, when some of it was refunded or is disputed."
    money: String
    "What a person must do about the payment's money."
    problem: String
    "Names what this answer shows. Each decision sends it back."
    seen: String!
    canAccept: Boolean!
    "What a refund sends without a second step; null where none is offered."
    refundable: String
    "What a refund may take at most if a person confirms that it goes over a dispute."
    overDispute: TillkitOverDispute
    "Nothing names the transaction that paid this payment."
    canNameTransaction: Boolean!
    refunds: [TillkitRefund!]!
    disputes: [TillkitDispute!]!
    "The shopper paid the same page more than once. These are the other payments."
    furtherTransactions: [TillkitFurtherTransaction!]!
    timeline: [TillkitTimelineEntry!]!
  }
  type TillkitRefund {
    key: String!
    amount: String!
    state: String!
    "The refund was left without a result, and a person who looked in the service's dashboard may say how it ended."
    canTellOutcome: Boolean!
  }
  type TillkitDispute {
    id: String!
    text: String!
    "The dispute ended without an outcome, and a person may say who won."
    canDecide: Boolean!
  }
  type TillkitFurtherTransaction {
    id: String!
    amount: String!
    money: String
    "What its refund sends; null where nothing can be refunded."
    refundable: String
  }
  type TillkitOverDispute {
    atMost: String!
    decimal: String!
    disputed: String!
  }
  "A transaction that may have paid the payment."
  type TillkitTransaction {
    id: String!
    amount: String!
    at: DateTime!
  }
  type TillkitTimelineEntry {
    at: DateTime!
    text: String!
  }
  extend type Query {
    "Every payment of an order, newest first."
    tillkitPaymentsOfOrder(orderCode: String!): [TillkitPayment!]!
    "Payments that wait for a person, newest first: payments that pay no order, and payments about whose money a person must decide."
    tillkitPaymentsToReview: [TillkitPayment!]!
    "One payment; null if this channel has no such payment."
    tillkitPayment(id: String!): TillkitPayment
    "The transactions that may have paid a payment that names none. Read from the service."
    tillkitTransactionsOf(id: String!): [TillkitTransaction!]!
  }
  extend type Mutation {
    "Accepts the difference that the page showed, and no other. The payment is then verified again and pays its order."
    acceptTillkitPayment(id: String!, seen: String!): TillkitPayment!
    "Refunds the rest of a held payment, or of a further transaction of its session."
    refundTillkitPayment(id: String!, seen: String!, transaction: String): TillkitPayment!
    "Refunds an amount although a dispute holds it or took it back. The person has confirmed that."
    refundTillkitPaymentOverDispute(id: String!, seen: String!, amount: String!): TillkitPayment!
    "A person has looked in the service's dashboard and says how a refund in doubt ended."
    settleTillkitRefund(id: String!, seen: String!, refund: String!, wasMade: Boolean!): TillkitPayment!
    "A person says which transaction paid the payment."
    nameTillkitTransaction(id: String!, seen: String!, transaction: String!): TillkitPayment!
    "A person says how a dispute without an outcome ended."
    decideTillkitDispute(id: String!, seen: String!, dispute: String!, wasWon: Boolean!): TillkitPayment!
  }
`);
