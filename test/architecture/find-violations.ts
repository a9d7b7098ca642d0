import { coreViolations } from "./core-rules.ts";
import { importViolations } from "./import-rules.ts";
import { manifestViolations } from "./manifest-rules.ts";
import { reachViolations } from "./reach-rules.ts";
import { sentenceViolations } from "./sentence-rules.ts";
import { readSourceFile } from "./source-file.ts";
import { textViolations } from "./text-rules.ts";
import { manifestsOf, type Workspace } from "./workspace.ts";

/** Returns one sentence for every place where the repository breaks its architecture. */
export function findViolations(workspace: Workspace): readonly string[] {
  const manifests = manifestsOf(workspace);
  const files = [...workspace]
    .filter(([path]) => /^((packages|examples)\/[^/]+\/(src|test)|test)\/.*\.tsx?$/.test(path))
    .map(([path, text]) => readSourceFile(path, text));
  return [
    ...importViolations(files, manifests),
    ...reachViolations(files, manifests),
    ...manifestViolations(files, manifests),
    ...coreViolations(files),
    ...sentenceViolations(workspace),
    ...textViolations(workspace),
  ];
}
