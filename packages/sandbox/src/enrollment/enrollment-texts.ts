import type { Capability } from "@tillkit/client/endpoints";
import type { Language } from "../pages/language.ts";

/** The texts of the enrollment pages. */
export type EnrollmentTexts = {
  language: Language;
  otherLanguage: string;
  footer: string;
  invited: (operator: string) => string;
  invitedText: (operator: string) => string;
  requestedTitle: string;
  testAndLive: string;
  test: string;
  live: string;
  nothing: string;
  capabilities: Record<Capability, string>;
  business: string;
  businessHint: string;
  continue: string;
  businessMissing: string;
  businessConnected: (operator: string) => string;
  allow: (operator: string) => string;
  allowText: (member: string) => string;
  accept: string;
  refuse: string;
  ended: Record<
    "approved" | "completed" | "expired" | "cancelled",
    { title: string; text: (operator: string) => string }
  >;
  account: string;
  notFound: { title: string; text: string };
  failure: { title: string; text: string };
};

export const enrollmentTexts: Record<Language, EnrollmentTexts> = {
  en: {
    language: "en",
    otherLanguage: "Français",
    footer: "Your keys are never passed on",
    invited: (operator) => `${operator} invites you`,
    invitedText: (operator) =>
      `${operator} would like to take payments in your name. The money goes to your account, never to theirs.`,
    requestedTitle: "What they ask for",
    testAndLive: "In test mode and with real money",
    test: "In test mode",
    live: "With real money",
    nothing: "nothing",
    capabilities: {
      "payment.create": "Take payments for you",
      "transaction.read_own": "See the payments they took for you",
      "transaction.read": "See all your payments",
      "customer.read": "See the customers they serve for you",
      "customer.write": "Add and change these customers",
      "refund.create": "Refund payments",
    },
    business: "Your business",
    businessHint: "In the sandbox you choose your business without signing in.",
    continue: "Continue",
    businessMissing: "Choose your business.",
    businessConnected: (operator) => `This business is connected to ${operator} already. Choose another one.`,
    allow: (operator) => `Allow ${operator} to do this?`,
    allowText: (member) => `You are answering for ${member}.`,
    accept: "Allow",
    refuse: "Refuse",
    ended: {
      approved: {
        title: "Thank you, your connection is under review",
        text: (operator) => `${operator} can act for you as soon as the connection has been reviewed.`,
      },
      completed: { title: "You are connected", text: (operator) => `${operator} can now take payments for you.` },
      expired: {
        title: "This invitation has expired",
        text: (operator) => `Ask ${operator} to send you a new one.`,
      },
      cancelled: { title: "This invitation is over", text: (operator) => `${operator} cannot act for you with it.` },
    },
    account: "Your account",
    notFound: {
      title: "Invitation not found",
      text: "This link is incomplete or no longer exists. Ask for a new invitation.",
    },
    failure: {
      title: "Something went wrong",
      text: "The page could not be shown. Reload it in a moment.",
    },
  },
  fr: {
    language: "fr",
    otherLanguage: "English",
    footer: "Vos clés ne sont jamais transmises",
    invited: (operator) => `${operator} vous invite`,
    invitedText: (operator) =>
      `${operator} souhaite encaisser des paiements en votre nom. L’argent arrive sur votre compte, jamais sur le sien.`,
    requestedTitle: "Ce qui vous est demandé",
    testAndLive: "En mode test et avec de l’argent réel",
    test: "En mode test",
    live: "Avec de l’argent réel",
    nothing: "rien",
    capabilities: {
      "payment.create": "Encaisser des paiements pour vous",
      "transaction.read_own": "Voir les paiements encaissés pour vous",
      "transaction.read": "Voir tous vos paiements",
      "customer.read": "Voir les clients servis pour vous",
      "customer.write": "Ajouter et modifier ces clients",
      "refund.create": "Rembourser des paiements",
    },
    business: "Votre entreprise",
    businessHint: "Dans le bac à sable, vous choisissez votre entreprise sans vous connecter.",
    continue: "Continuer",
    businessMissing: "Choisissez votre entreprise.",
    businessConnected: (operator) => `Cette entreprise est déjà liée à ${operator}. Choisissez-en une autre.`,
    allow: (operator) => `Autoriser ${operator} ?`,
    allowText: (member) => `Vous répondez pour ${member}.`,
    accept: "Autoriser",
    refuse: "Refuser",
    ended: {
      approved: {
        title: "Merci, votre liaison est en cours de vérification",
        text: (operator) => `${operator} pourra agir pour vous dès que la liaison aura été vérifiée.`,
      },
      completed: {
        title: "La liaison est active",
        text: (operator) => `${operator} peut maintenant encaisser des paiements pour vous.`,
      },
      expired: {
        title: "Cette invitation a expiré",
        text: (operator) => `Demandez à ${operator} de vous en envoyer une nouvelle.`,
      },
      cancelled: {
        title: "Cette invitation n’est plus valable",
        text: (operator) => `Elle ne permet pas à ${operator} d’agir pour vous.`,
      },
    },
    account: "Votre compte",
    notFound: {
      title: "Invitation introuvable",
      text: "Ce lien est incomplet ou n’existe plus. Demandez une nouvelle invitation.",
    },
    failure: {
      title: "Un problème est survenu",
      text: "La page n’a pas pu être affichée. Rechargez-la dans un instant.",
    },
  },
};
