import packageJson from "../../package.json" with { type: "json" };

/**
 * Loads a package that `tillkit` does not bring along: every platform is installed only by those who use it.
 * @param load `() => import(name)`, written with the name so that the build and the types know the package
 * @throws Error that says what to install, when the package is not there
 */
export async function loadPackage<Package>(name: string, load: () => Promise<Package>): Promise<Package> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(name, error)) throw error;
    throw new Error(
      `This command needs the package ${name}, which is not installed: install ${name}@${packageJson.version} where @tillkit/cli is installed.`,
      { cause: error },
    );
  }
}

// A package that is there but lacks one of its own dependencies fails with the same code and another name.
function isMissing(name: string, error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return code === "ERR_MODULE_NOT_FOUND" && String(message).includes(`'${name}'`);
}
