import { fileURLToPath } from "node:url";

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The root of the repository, with a slash at its end like the other folders. */
export const repository = folder("../../../");

/** The sources of the site: what VitePress reads. */
export const siteFolder = folder("../site/");

/** The built site. */
export const builtFolder = folder("../dist/");
