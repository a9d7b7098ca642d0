import type { AddressFault, AddressUse } from "./address-fault.ts";

type AddressTexts = Readonly<Record<Exclude<AddressFault["kind"], "not_https">, string>> & {
  readonly not_https: Readonly<Record<AddressUse, string>>;
};

const LOCAL_EN = "must begin with https://; plain http:// is only for this machine: localhost, 127.0.0.1 or [::1]";
const LOCAL_FR =
  "doit commencer par https:// ; http:// seul est réservé à cette machine : localhost, 127.0.0.1 ou [::1]";

const TEXTS: Readonly<Record<"en" | "fr", AddressTexts>> = {
  en: {
    not_absolute: "must be a whole address, such as https://host.example",
    not_https: {
      base: LOCAL_EN,
      page: LOCAL_EN,
      picture: "must begin with https://",
      link: "must begin with https:// or http://",
    },
    has_user: "must have no user name and no password: remove what stands before the @",
    has_query: "must have no query: remove the ? and what follows it",
    has_fragment: "must have no fragment: remove the # and what follows it",
  },
  fr: {
    not_absolute: "doit être une adresse entière, par exemple https://site.example",
    not_https: {
      base: LOCAL_FR,
      page: LOCAL_FR,
      picture: "doit commencer par https://",
      link: "doit commencer par https:// ou http://",
    },
    has_user: "ne doit avoir ni nom d’utilisateur ni mot de passe : supprimez ce qui précède le @",
    has_query: "ne doit pas avoir de paramètres : supprimez le ? et la suite",
    has_fragment: "ne doit pas avoir d’ancre : supprimez le # et la suite",
  },
};

/** What the person who set the address has to change: the rest of a sentence that begins with the name of the setting. */
export function addressRule(fault: AddressFault, language: "en" | "fr" = "en"): string {
  const texts = TEXTS[language];
  return fault.kind === "not_https" ? texts.not_https[fault.use] : texts[fault.kind];
}
