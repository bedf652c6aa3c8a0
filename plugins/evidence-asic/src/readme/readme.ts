import type { Bundle } from '@signed-registry/core'

/** Text of `README.txt`. */
export const readmeText = ({ documents }: Bundle): string =>
  ['Evidence for these documents:', ...documents.map(({ documentId }) => `  ${documentId}`), ''].join('\n')
