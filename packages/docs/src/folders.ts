import { fileURLToPath } from "node:url";

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The root of the repository. This path and the next two paths end with a slash. */
export const repository = folder("../../../");

/** The sources of the site, which VitePress reads. */
export const siteFolder = folder("../site/");

/** The built site. */
export const builtFolder = folder("../dist/");
