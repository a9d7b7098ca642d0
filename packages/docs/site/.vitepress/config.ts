import { siteTokens } from "@tillkit/styles";
import { defineConfig, type MarkdownRenderer } from "vitepress";
import llms from "vitepress-plugin-llms";
import { repository } from "../../src/folders.ts";
import { englishTheme, frenchTheme, searchEngine, searchWords } from "./languages.ts";

const description =
  "A payment service's hosted checkout in any store: a completed checkout marks its order paid exactly once.";

// The base address of the links in llms.txt. The pages themselves have only relative links and need no address.
const address = process.env.DOCS_ADDRESS ?? "http://127.0.0.1:5173";

export default defineConfig({
  title: "Tillkit",
  description,
  cacheDir: "../node_modules/.cache/vitepress",
  outDir: "../dist",
  cleanUrls: false,
  lastUpdated: false,
  metaChunk: true,
  head: [
    ["link", { rel: "icon", href: "/icon.svg", type: "image/svg+xml" }],
    ["style", {}, siteTokens],
  ],
  locales: {
    root: { label: "English", lang: "en", themeConfig: englishTheme },
    fr: {
      label: "Français",
      lang: "fr",
      description:
        "La page de paiement hébergée d'un prestataire dans toute boutique : une commande payée l'est une seule fois.",
      themeConfig: frenchTheme,
    },
  },
  themeConfig: {
    logo: "/icon.svg",
    search: { provider: "local", options: { locales: searchWords, miniSearch: searchEngine } },
  },
  markdown: {
    // The colours of the usual theme are too pale to read in code blocks.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config(renderer) {
      hideRegionMarks(renderer);
      keepFrenchSpaces(renderer);
    },
  },
  vite: {
    // Another copy of the site may be served on the same machine.
    server: { host: "127.0.0.1" },
    plugins: [
      {
        // While the site is served from its sources, a page asks for a picture that lies beside the site under its path in the
        // repository, such as /packages/sandbox/pictures/console.png. The built site has a copy.
        name: "pictures-of-repository",
        configureServer({ middlewares }) {
          middlewares.use((request, _response, next) => {
            const isPicture = /^\/(?:packages|examples)\/[\w/-]+\.(?:png|jpg|svg)$/.test(request.url ?? "");
            if (isPicture) request.url = `/@fs${repository}${request.url?.slice(1)}`;
            next();
          });
        },
      },
      llms({
        domain: address,
        title: "Tillkit",
        sidebar: englishTheme.sidebar ?? [],
        description,
        ignoreFiles: ["fr/**"],
        ignoreFilesPerOutput: { llmsTxt: ["api/*/**"], llmsFullTxt: ["api/**"] },
        injectLLMHint: false,
      }),
    ],
  },
});

/** Removes the marks of regions from code blocks. A page that shows a whole file would otherwise show the marks for other pages. */
function hideRegionMarks({ options }: MarkdownRenderer): void {
  const { highlight } = options;
  options.highlight = (code, ...rest) =>
    highlight?.(code.replace(/^ *\/\/ #(?:end)?region .*\n?/gm, ""), ...rest) ?? "";
}

/** On a French page no line begins with : ; ! ? or », or ends with «. */
function keepFrenchSpaces({ core }: MarkdownRenderer): void {
  core.ruler.push("french-spaces", ({ tokens, env }) => {
    if (!String(env?.relativePath).startsWith("fr/")) return;
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === "text")
        token.content = token.content.replace(/ (?=[:;!?»])/g, "\u00a0").replaceAll("« ", "«\u00a0");
  });
}
