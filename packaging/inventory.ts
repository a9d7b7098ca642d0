/** The parts of a CycloneDX inventory that are read here. */
export type Inventory = { readonly components: readonly Component[] };

type Component = {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
  readonly externalReferences?: readonly { readonly url: string }[];
};

/** Licences that let a shop use, change and pass on the code, and ask for no more than their notice. */
const ACCEPTED = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
]);

/** `name version: licence`, for every package with a licence that is missing or not accepted. Of several licences each must be accepted. */
export function findUnaccepted({ components }: Inventory): readonly string[] {
  return components
    .filter(
      (component) =>
        !licenceOf(component)
          .split(/[ ()]+(?:AND|OR)?[ ()]*/)
          .filter(Boolean)
          .every((one) => ACCEPTED.has(one)),
    )
    .map((component) => `${component.name} ${component.version}: ${licenceOf(component)}`);
}

/** A Markdown table, one row for each licence. */
export function licenceTable({ components }: Inventory): string {
  const packages = new Map<string, string[]>();
  for (const component of components) {
    const names = packages.get(licenceOf(component)) ?? [];
    packages.set(licenceOf(component), [...names, `${component.name} ${component.version}`]);
  }
  const rows = [...packages]
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([licence, names]) => `| ${licence} | ${names.length} | ${names.sort().join(", ")} |`);
  return ["| licence | packages | |", "|---|---|---|", ...rows, ""].join("\n");
}

/** Removes the paths at which npm found our tarballs: they mean nothing on another machine. */
export function withoutLocalPaths(inventory: Inventory): Inventory {
  const components = inventory.components.map(({ externalReferences = [], ...component }) => ({
    ...component,
    externalReferences: externalReferences.filter(({ url }) => !url.startsWith("file:")),
  }));
  return { ...inventory, components };
}

function licenceOf({ licenses = [] }: Component): string {
  const names = licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression ?? "");
  return names.join(" AND ") || "none";
}
