import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// What a compiled host does not need of its dependencies: for the image and the archive of a release.
for (const name of ['.bin', 'typescript', '@typescript', 'esbuild', '@esbuild', '@types'])
  rmSync(fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url)), { recursive: true, force: true })
