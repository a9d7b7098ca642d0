import { describe, expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { loadPackage } from "../src/command-line/load-package.ts";

function notFound(name: string): Error {
  const message = `Cannot find package '${name}' imported from /srv/node_modules/@tillkit/cli/dist/tillkit.js`;
  return Object.assign(new Error(message), { code: "ERR_MODULE_NOT_FOUND" });
}

describe("a package that tillkit loads only when a command needs it", () => {
  it("an installed package is handed to the command", async () => {
    expect(await loadPackage("@tillkit/shopify", async () => "the package")).toBe("the package");
  });

  it("a missing package is named with the version to install and where", async () => {
    const loading = loadPackage("@tillkit/shopify", () => Promise.reject(notFound("@tillkit/shopify")));
    await expect(loading).rejects.toThrow(
      `This command needs the package @tillkit/shopify with its dependencies: install @tillkit/shopify@${packageJson.version} where @tillkit/cli is installed.`,
    );
  });

  it("an installed package whose own dependency is missing is to be installed again, and the cause names what is missing", async () => {
    const cause = notFound("express");
    const loading = loadPackage("@tillkit/shopify", () => Promise.reject(cause));
    await expect(loading).rejects.toMatchObject({ message: expect.stringContaining("with its dependencies"), cause });
  });

  it("a package that fails while it is loaded keeps its error", async () => {
    const loading = loadPackage("@tillkit/shopify", () => Promise.reject(new Error("The disk is full.")));
    await expect(loading).rejects.toThrow("The disk is full.");
  });
});
