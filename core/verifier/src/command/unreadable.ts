const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ENAMETOOLONG: 'its name is too long',
}

/** What is read of a file; throws in words of people where it cannot be. */
export function readOf<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw unreadable(name, cause)
  }
}

/** Says of a file why it cannot be read. */
export function unreadable(name: string, cause: unknown): Error {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const reason = REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause))
  // As of a variable of the shell that is not set.
  return new Error(`${name || 'A file without a name'} cannot be read: ${reason}`, { cause })
}
