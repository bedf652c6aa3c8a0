/** A file under a name that no other file of the same lot has. */
export interface GivenFile {
  readonly file: File
  readonly name: string
}

/** Numbers files with the same name. */
export function named(files: readonly File[]): GivenFile[] {
  const seen = new Map<string, number>()
  return files.map((file) => {
    const number = (seen.get(file.name) ?? 0) + 1
    seen.set(file.name, number)
    return { file, name: number === 1 ? file.name : `${file.name} (${number})` }
  })
}
