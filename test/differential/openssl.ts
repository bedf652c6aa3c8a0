import { spawnSync } from 'node:child_process'
import { pem } from '#dev-authorities/pem.js'
import { inFolder } from '../support/pki/openssl.js'
import type { AnswerInput, Judge, MessageInput, PathInput, StampInput } from './evidence.js'
import { accepted, type Opinion, refused } from './opinion.js'

/** The opinion of the command line of OpenSSL. */
export const openSsl: Judge = {
  path: (input) => {
    const others = input.others.length > 0 ? ['-untrusted', 'others.pem'] : []
    return ask(input, ['verify', ...at(input), ...ANCHOR, ...others, ...pathOptions(input), 'leaf.pem'], /OK/)
  },
  message: (input) => {
    const files = ['-in', 'cms', '-content', 'data', '-out', 'out']
    const args = ['cms', '-verify', '-binary', '-inform', 'DER', ...files, ...at(input), '-purpose', 'any', '-cades']
    // It takes intermediates from the CMS and from the trusted ones alone; a path must end in a root all the same.
    return ask(input, [...args, '-CAfile', 'all.pem', '-no-CApath', '-no-CAstore'], /successful/)
  },
  stamp: (input) => {
    const args = ['ts', '-verify', '-token_in', '-in', 'token', '-data', 'data', ...at(input)]
    return ask(input, [...args, '-CAfile', 'anchor.pem', '-untrusted', 'others.pem'], /Verification: OK/)
  },
  answer: (input) => {
    const asked = ['-sha256', '-issuer', 'issuer.pem', '-cert', 'certificate.pem', '-no_nonce', ...at(input)]
    // By the system's clock our answers are old: that alone is not compared.
    const trust = [...ANCHOR, '-verify_other', 'others.pem', '-validity_period', '999999999']
    const good = /certificate\.pem: good[\s\S]*Response verify OK/
    return ask(input, ['ocsp', '-respin', 'response', ...asked, ...trust], good)
  },
}

const ANCHOR = ['-CAfile', 'anchor.pem', '-no-CApath', '-no-CAstore']

const at = ({ time }: { readonly time: number }): string[] => ['-attime', String(time / 1000)]

/** Where CRLs are given they decide; else policies are looked at, as we do. */
function pathOptions({ crls }: PathInput): string[] {
  if (crls === undefined) return ['-policy_check', '-policy', '2.5.29.32.0', '-purpose', 'any']
  return [...(crls.length === 0 ? [] : ['-CRLfile', 'crls.pem']), '-crl_check_all', '-extended_crl', '-use_deltas']
}

function ask(
  input: PathInput | MessageInput | StampInput | AnswerInput,
  args: readonly string[],
  good: RegExp,
): Opinion {
  return inFolder(filesOf(input), (folder) => {
    const { status, stdout, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' })
    const said = stdout + stderr
    if (status === 0 && good.test(said)) return accepted
    const about = /error \d+ at .*lookup: ?(.*)/.exec(said)?.[1] ?? /:([^:\n]+):[^:\n]*:\d+:/.exec(said)?.[1]
    return refused(about ?? said.slice(0, 80))
  })
}

/** Certificates and CRLs are asked for in PEM, all else as it is. */
function filesOf(input: object): Record<string, Uint8Array | string> {
  const files: Record<string, Uint8Array | string> = {}
  for (const [name, value] of Object.entries(input)) {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    const octets = list.filter((one) => one instanceof Uint8Array)
    if (['cms', 'data', 'token', 'response'].includes(name)) files[name] = octets[0] ?? ''
    else
      files[`${name}.pem`] = octets
        .map((der) => pem(name === 'crls' ? 'X509 CRL' : 'CERTIFICATE', Buffer.from(der)))
        .join('')
  }
  files['all.pem'] = `${String(files['anchor.pem'])}${String(files['others.pem'])}`
  return files
}
