export { type Choices, HOSTS, type Host, PACKAGE_MANAGERS, type PackageManager } from "./choices.ts";
export { createProject } from "./create-project.ts";
export { projectFiles } from "./project-files.ts";
export { create, FlagMistake, runCreate, type Terminal } from "./run-create.ts";
