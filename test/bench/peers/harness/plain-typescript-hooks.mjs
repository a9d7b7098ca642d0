import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";

/** Removes the types of a TypeScript module and changes nothing else. */
export async function load(url, context, nextLoad) {
  const loader = /\.(tsx?)$/.exec(new URL(url).pathname)?.[1];
  if (loader === undefined || !url.startsWith("file:")) return nextLoad(url, context);
  const file = fileURLToPath(url);
  const source = await readFile(file, "utf8");
  const options = { loader, sourcefile: file, format: "esm", target: "node20", jsx: "automatic", sourcemap: "inline" };
  const { code } = await transform(source, options);
  return { format: "module", source: code, shortCircuit: true };
}
