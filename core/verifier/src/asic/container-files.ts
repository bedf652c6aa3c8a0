import type { ZippedFile } from '../zip/read-zip.js'

/** What a file in `META-INF` is, by its name (EN 319 162-1, 4.3.3.2 and 4.4). */
export type ContainerPart = 'xades' | 'cades' | 'manifest' | 'timeStamp' | 'evidenceRecord' | 'jades' | 'list' | 'other'

const META = /^META-INF\//i
const MEDIA_TYPE = 'mimetype'
const PARTS: readonly (readonly [RegExp, ContainerPart])[] = [
  [/^META-INF\/(?:asicmanifest|asicarchivemanifest|asicevidencerecordmanifest)[^/]*\.xml$/i, 'manifest'],
  [/^META-INF\/[^/]*signatures[^/]*\.xml$/i, 'xades'],
  [/^META-INF\/[^/]*signature[^/]*\.p7s$/i, 'cades'],
  [/^META-INF\/[^/]*\.tst$/i, 'timeStamp'],
  [/^META-INF\/[^/]*evidencerecord[^/]*\.(?:ers|xml)$/i, 'evidenceRecord'],
  [/^META-INF\/[^/]*signature[^/]*\.json$/i, 'jades'],
  [/^META-INF\/manifest\.xml$/i, 'list'],
]

/** The files of a container by what they are for. */
export interface ContainerFiles {
  /** `mimetype`, wherever it stands. */
  readonly mediaType: ZippedFile | undefined
  readonly isMediaTypeFirst: boolean
  /** What may be signed: everything outside of `META-INF`. */
  readonly data: readonly ZippedFile[]
  readonly parts: readonly { readonly file: ZippedFile; readonly part: ContainerPart }[]
}

export function containerFiles(files: readonly ZippedFile[]): ContainerFiles {
  const meta = files.filter(({ name }) => META.test(name))
  return {
    mediaType: files.find(({ name }) => name === MEDIA_TYPE),
    isMediaTypeFirst: files[0]?.name === MEDIA_TYPE && !files[0].isDeflated && !files[0].hasExtra,
    data: files.filter(({ name }) => !META.test(name) && name !== MEDIA_TYPE),
    parts: meta.map((file) => ({ file, part: PARTS.find(([pattern]) => pattern.test(file.name))?.[1] ?? 'other' })),
  }
}
