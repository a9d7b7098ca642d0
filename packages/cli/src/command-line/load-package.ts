import { codeOf } from "@tillkit/core";
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
    if (codeOf(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    // The package is missing, or one of its own dependencies: installing it mends both.
    throw new Error(
      `This command needs the package ${name} with its dependencies: install ${name}@${packageJson.version} where @tillkit/cli is installed.`,
      { cause: error },
    );
  }
}
