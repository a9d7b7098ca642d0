import { createRequire } from "node:module";
import { type AnchorHTMLAttributes, createElement, type ReactElement } from "react";
import ts from "typescript";
import * as storefront from "../../src/storefront.ts";

const require = createRequire(import.meta.url);
// React's own types for this entry are in a package of their own that nothing else here needs.
const { renderToStaticMarkup } = require("react-dom/server") as { renderToStaticMarkup(element: ReactElement): string };

/** Where the file sent the shopper, and whether the cart's cookie was removed. */
export type Visit = { readonly redirects: string[]; cartForgotten: boolean };

/**
 * Runs one file of a storefront with React and our real helper, as Next.js would run it. The modules of Next.js and of the starter
 * are fakes, which record their calls in `visit`.
 */
export function runFile(
  text: string,
  { visit, env = {} }: { readonly visit: Visit; readonly env?: Readonly<Record<string, string>> },
): Record<string, unknown> {
  const modules: Readonly<Record<string, unknown>> = {
    "@tillkit/medusa/storefront": storefront,
    "@lib/constants": {
      isStripeLike: (id?: string) => id?.startsWith("pp_stripe_"),
      isManual: (id?: string) => id?.startsWith("pp_system_default"),
      isTillkit: (id?: string) => id?.startsWith("pp_tillkit"),
    },
    "@lib/data/cookies": {
      async removeCartId() {
        visit.cartForgotten = true;
      },
    },
    "@lib/data/cart": {},
    "@medusajs/ui": { Button: "button" },
    "@modules/common/components/ui": { Button: "button" },
    "next/link": { __esModule: true, default: NextLink },
    "next/navigation": {
      redirect(url: string) {
        visit.redirects.push(url);
        // Next.js ends the route by throwing, too.
        throw new Error("NEXT_REDIRECT");
      },
    },
  };
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      jsx: ts.JsxEmit.ReactJSX,
      esModuleInterop: true,
    },
  });
  const exports: Record<string, unknown> = {};
  const load = (name: string) => modules[name] ?? require(name);
  new Function("require", "exports", "process", outputText)(load, exports, { env });
  return exports;
}

function NextLink({ prefetch: _, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { readonly prefetch?: boolean }) {
  return createElement("a", rest);
}

/** The page as a browser receives it. */
export function render(element: ReactElement): string {
  return renderToStaticMarkup(element);
}
