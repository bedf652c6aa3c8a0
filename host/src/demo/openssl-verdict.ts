import { spawnSync } from 'node:child_process'

/** Lets OpenSSL judge an exported CMS: the command line that does it, and what it says. */
export function openSslVerdict(files: { cms: string; original: string; trust: string }): string[] {
  const { cms, original, trust } = files
  const purpose = ['-purpose', 'any']
  const args = [
    'cms',
    '-verify',
    '-binary',
    '-inform',
    'DER',
    '-in',
    cms,
    '-content',
    original,
    '-CAfile',
    trust,
    ...purpose,
  ]
  const { status, stderr, error } = spawnSync('openssl', [...args, '-out', '/dev/null'], { encoding: 'utf8' })
  const said = error ? 'OpenSSL is not installed here; run the command where it is.' : `OpenSSL: ${stderr.trim()}`
  if (!error && status !== 0) throw new Error(`OpenSSL refused the exported signature: ${stderr}`)
  return [`openssl ${args.join(' ')} -out /dev/null`, said]
}
