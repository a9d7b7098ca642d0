import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, parseAllDocuments } from "yaml";

/** A part of a YAML file; each test names what it reads. */
// biome-ignore lint/suspicious/noExplicitAny: the structure of a manifest is what the tests check.
export type Yaml = any;

/** The files that deploy one platform as receivers and workers. */
export type ScaleFiles = {
  readonly folder: string;
  text(name: string): string;
  readonly compose: Yaml;
  /** Every object of the Kubernetes manifests. */
  readonly objects: readonly Yaml[];
  readonly kustomization: Yaml;
  readonly config: { readonly listen: { readonly port: number } };
  /** The environment variables that the configuration reads. */
  readonly configVariables: readonly string[];
  /** The arguments of the image's command. */
  readonly imageCommand: readonly string[];
};

export function readScaleFiles(platform: string): ScaleFiles {
  const folder = fileURLToPath(new URL(`../../${platform}/deploy/scale/`, import.meta.url));
  const text = (name: string) => readFileSync(join(folder, name), "utf8");
  const config = JSON.parse(text(`${platform}.json`));
  const variableReferences = JSON.stringify(config).matchAll(/"env":"(\w+)"/g);
  const dockerfile = text("../Dockerfile");
  return {
    folder,
    text,
    compose: parse(text("compose.scale.yaml"), { merge: true }),
    objects: readdirSync(join(folder, "kubernetes")).flatMap((name) =>
      parseAllDocuments(text(`kubernetes/${name}`)).map((document) => document.toJS()),
    ),
    kustomization: parse(text("kustomization.yaml")),
    config,
    configVariables: [...new Set([...variableReferences].map(([, name = ""]) => name))],
    imageCommand: JSON.parse(/^CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? "[]"),
  };
}

/** The names and values of an example of secrets. A value is at most the beginning of a secret. */
export function secretsOf(text: string): ReadonlyMap<string, string> {
  const lines = text.split("\n").filter((line) => /^\w+=/.test(line));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

/** The settings of an ini file, without its sections. */
export function settingsOf(ini: string): ReadonlyMap<string, string> {
  return new Map([...ini.matchAll(/^(\w+) = ?(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));
}

export function objectOf({ objects }: ScaleFiles, kind: string, name: string): Yaml {
  const found = objects.find((one) => one.kind === kind && one.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}.`);
  return found;
}

/** How long a stopping process may finish its work, in seconds, as its limits say. */
export function closeSeconds(): number {
  const limits = readFileSync(new URL("../../runtime/src/limits.ts", import.meta.url), "utf8");
  const seconds = Number(/closeTimeoutMs: (\d+) \* SECOND/.exec(limits)?.[1]);
  if (!(seconds > 0)) throw new Error("The limits of the runtime do not say how long a process may take to stop.");
  return seconds;
}
