/**
 * Returns the content of a configuration file with the role of this process: the given role, else the environment variable
 * `TILLKIT_ROLE`, else the role in the file. So all processes can read the same file.
 */
export function withRole(rawConfig: unknown, role = process.env.TILLKIT_ROLE): unknown {
  if (!role || typeof rawConfig !== "object" || rawConfig === null || Array.isArray(rawConfig)) return rawConfig;
  return { ...rawConfig, role };
}
