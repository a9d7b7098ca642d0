/**
 * Returns the content of a configuration file with the role of this process: the given one, else that of the environment variable
 * `TILLKIT_ROLE`, else the file's own. So all processes can read the same file.
 */
export function withRole(rawConfig: unknown, role = process.env.TILLKIT_ROLE): unknown {
  if (!role || typeof rawConfig !== "object" || rawConfig === null || Array.isArray(rawConfig)) return rawConfig;
  return { ...rawConfig, role };
}
