import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Subject } from '@signed-registry/dev-authorities'
import { inFolder } from '../support/pki/openssl.js'
import { onPath } from '../support/programs.js'
import { accepted, type Opinion, refused } from './opinion.js'

/** The command line of xmlsec1, to sign and to judge. */
export const xmlsec1 = {
  isInstalled: onPath('xmlsec1') !== undefined,

  /** Fills in a template. */
  sign(template: string, by: Subject): string {
    const files = { 'document.xml': template, 'key.pem': by.keyPem, 'certificate.pem': by.certificatePem }
    return inFolder(files, (folder) => {
      const args = ['--sign', '--privkey-pem', 'key.pem,certificate.pem', '--output', 'signed.xml', 'document.xml']
      const { status, stderr } = spawnSync('xmlsec1', args, { cwd: folder, encoding: 'utf8' })
      if (status !== 0) throw new Error(`xmlsec1 does not sign: ${stderr.slice(0, 400)}`)
      return readFileSync(join(folder, 'signed.xml'), 'utf8')
    })
  },

  check(xml: string, by: Subject): Opinion {
    return inFolder({ 'document.xml': xml, 'certificate.pem': by.certificatePem }, (folder) => {
      const args = ['--verify', '--pubkey-cert-pem', 'certificate.pem', 'document.xml']
      const { status, stderr } = spawnSync('xmlsec1', args, { cwd: folder, encoding: 'utf8' })
      return status === 0 ? accepted : refused(/error=\d+:([^:]+)/.exec(stderr)?.[1] ?? stderr.slice(0, 200))
    })
  },
}
