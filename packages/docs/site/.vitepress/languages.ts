import type { DefaultTheme } from "vitepress";
import { englishSidebar, frenchSidebar } from "./sidebar.ts";

/** The navigation and the texts of the theme in English. Texts that are missing here are English by default. */
export const englishTheme: DefaultTheme.Config = {
  nav: [
    { text: "Quick start", link: "/quick-start/own-platform", activeMatch: "^/quick-start/" },
    { text: "When something goes wrong", link: "/errors" },
    { text: "Packages", link: "/api/", activeMatch: "^/api/" },
  ],
  sidebar: englishSidebar.map((group) => ({ ...group, items: [...group.items] })),
  outline: { level: [2, 3] },
  // Most pages exist in one language only, so the menu of languages leads to the home page of the other language.
  i18nRouting: false,
  notFound: {
    title: "Page not found",
    quote: "This address matches no page of the documentation.",
    linkText: "Back to the home page",
  },
};

/** The navigation and the texts of the theme in French. */
export const frenchTheme: DefaultTheme.Config = {
  nav: [
    { text: "Premiers pas", link: "/fr/quick-start/woocommerce", activeMatch: "^/fr/quick-start/" },
    { text: "En cas de problème", link: "/fr/errors" },
  ],
  sidebar: frenchSidebar.map((group) => ({ ...group, items: [...group.items] })),
  outline: { level: [2, 3], label: "Sur cette page" },
  i18nRouting: false,
  docFooter: { prev: "Page précédente", next: "Page suivante" },
  darkModeSwitchLabel: "Apparence",
  lightModeSwitchTitle: "Passer au thème clair",
  darkModeSwitchTitle: "Passer au thème sombre",
  sidebarMenuLabel: "Menu",
  returnToTopLabel: "Retour en haut",
  langMenuLabel: "Changer de langue",
  skipToContentLabel: "Aller au contenu",
  notFound: {
    title: "Page introuvable",
    quote: "Cette adresse ne correspond à aucune page de la documentation.",
    linkLabel: "Aller à l'accueil",
    linkText: "Retour à l'accueil",
  },
};

/**
 * How the search splits pages and queries into words, and how it sorts results. VitePress copies the functions into the site as text,
 * so they use no name from outside.
 */
export const searchEngine: NonNullable<DefaultTheme.LocalSearchOptions["miniSearch"]> = {
  options: {
    // A code such as `refund_in_doubt` is one word.
    tokenize: (text) => text.split(/(?:(?!_)[\n\r\p{Z}\p{P}])+/u),
    // A single letter would find every word that begins with it.
    processTerm: (word) => (word.length > 1 ? word.toLowerCase() : null),
  },
  searchOptions: {
    fuzzy: 0.2,
    prefix: true,
    boost: { title: 4, text: 2, titles: 1 },
    // What went wrong comes first, then explanations and the commands, then references and lists of types; the changelog comes last.
    boostDocument: (id: string) => {
      if (/\/changelog/.test(id)) return 0.02;
      if (/\/types/.test(id)) return 0.2;
      if (/\/errors/.test(id)) return 3;
      return /\/(?:guides|quick-start|api\/cli)/.test(id) ? 2 : 1;
    },
  },
};

/** The texts of the search in French. They are English by default. */
export const searchWords: Record<string, Partial<Omit<DefaultTheme.LocalSearchOptions, "locales">>> = {
  fr: {
    translations: {
      button: { buttonText: "Rechercher", buttonAriaLabel: "Rechercher" },
      modal: {
        displayDetails: "Afficher les détails",
        resetButtonTitle: "Effacer la recherche",
        backButtonTitle: "Fermer la recherche",
        noResultsText: "Aucun résultat pour",
        footer: {
          selectText: "pour choisir",
          selectKeyAriaLabel: "Entrée",
          navigateText: "pour se déplacer",
          navigateUpKeyAriaLabel: "Flèche vers le haut",
          navigateDownKeyAriaLabel: "Flèche vers le bas",
          closeText: "pour fermer",
          closeKeyAriaLabel: "Échap",
        },
      },
    },
  },
};
