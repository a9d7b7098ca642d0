import type { Package } from "./packages.ts";

/** Our packages that others of ours can use but do not need, such as the servers that the command `tillkit` starts. */
export function optionalPeersOf(packages: readonly Package[]): readonly string[] {
  const peers = packages.flatMap(({ manifest }) => Object.keys(manifest.peerDependenciesMeta ?? {}));
  const needed = new Set(packages.flatMap(({ manifest }) => Object.keys(manifest.dependencies ?? {})));
  const ours = packages.map(({ manifest }) => manifest.name);
  return ours.filter((name) => peers.includes(name) && !needed.has(name));
}

/**
 * The package.json of the folder release: installing it installs every package from its tarball. The packages ask for each other by
 * version; `overrides` tells npm to take the files instead of asking npm's registry, `resolutions` tells yarn.
 * @param tarballs `@tillkit/core` → `tillkit-core-0.1.0-3f2a91bc.tgz`
 * @param version the version of all packages
 * @param optionalPeers add.mjs overrides them only in a project that installs them
 */
export function releaseManifest(
  tarballs: ReadonlyMap<string, string>,
  version: string,
  optionalPeers: readonly string[],
): object {
  const files = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:./${file}`]));
  return {
    name: "tillkit-release",
    version,
    private: true,
    type: "module",
    dependencies: files,
    overrides: files,
    resolutions: files,
    optionalPeers,
  };
}

/**
 * The same for pnpm, which reads its settings from pnpm-workspace.yaml. The package of SQLite is compiled already, so its build
 * script is declined.
 */
export function pnpmSettings(tarballs: ReadonlyMap<string, string>): string {
  const overrides = [...tarballs].map(([name, file]) => `  "${name}": file:./${file}\n`);
  return `overrides:\n${overrides.join("")}allowBuilds:\n  "@photostructure/sqlite": false\n`;
}
