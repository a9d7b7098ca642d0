import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import type { StarterFiles } from "./starter-files.ts";

const packageFolder = fileURLToPath(new URL("../../", import.meta.url));
const require = createRequire(join(packageFolder, "package.json"));
const medusaTypes = createRequire(require.resolve("@medusajs/framework/types")).resolve("@medusajs/types");

/** Declarations of the packages that the starters import and this workspace does not install. */
const OTHER_PACKAGES = `
declare module "@medusajs/icons" {
  export const CreditCard: React.FC
}
declare module "@modules/common/components/ui" {
  export const Button: React.FC<React.ComponentProps<"button"> & { size?: "base" | "large" }>
}
declare module "@medusajs/ui" {
  export { Button } from "@modules/common/components/ui"
}
declare module "next/link" {
  const Link: React.FC<{ href: string; className?: string; prefetch?: boolean; children: React.ReactNode }>
  export default Link
}
declare module "next/navigation" {
  export function redirect(url: string): never
}
declare module "next/server" {
  export interface NextRequest extends Request {
    readonly nextUrl: URL
  }
}
`;

/** Compiles a storefront with the starters' own compiler settings. @returns the compiler's messages */
export async function checkTypes(files: StarterFiles): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-starter-"));
  try {
    const written = [...files, ["other-packages.d.ts", OTHER_PACKAGES] as const];
    for (const [path, text] of written) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const settings = settingsOf(folder);
    const paths = written.map(([path]) => join(folder, path));
    const program = ts.createProgram(paths, settings, hostFor(settings));
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The files that the compiler has read, for every later call: reading Medusa's declarations takes most of the time. */
const sourceFiles = new Map<string, ts.SourceFile | undefined>();

function hostFor(settings: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(settings);
  return {
    ...host,
    getSourceFile(path, ...options) {
      if (!sourceFiles.has(path)) sourceFiles.set(path, host.getSourceFile(path, ...options));
      return sourceFiles.get(path);
    },
  };
}

function settingsOf(folder: string): ts.CompilerOptions {
  const source = join(folder, "src");
  return {
    target: ts.ScriptTarget.ES2015,
    lib: ["lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.esnext.d.ts"],
    skipLibCheck: true,
    strict: true,
    noEmit: true,
    esModuleInterop: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Node10,
    isolatedModules: true,
    jsx: ts.JsxEmit.Preserve,
    allowImportingTsExtensions: true,
    types: ["node", "react"],
    typeRoots: [
      join(packageFolder, "..", "..", "node_modules", "@types"),
      join(packageFolder, "node_modules", "@types"),
    ],
    baseUrl: source,
    paths: {
      "@lib/*": ["lib/*"],
      "@tillkit/medusa/storefront": [join(packageFolder, "src", "storefront.ts")],
      "@medusajs/types": [join(dirname(medusaTypes), "index.d.ts")],
      react: [join(packageFolder, "node_modules", "@types", "react", "index.d.ts")],
    },
  };
}
