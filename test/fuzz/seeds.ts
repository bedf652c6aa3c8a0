import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Subject } from '#dev-authorities/index.js'
import { conformanceDir } from '../support/conformance.js'
import { nameDer } from '../support/der.js'
import { testAuthorities } from '../support/pki/authorities.js'
import {
  basicConstraints,
  certificatePolicies,
  distributionPoints,
  extKeyUsage,
  general,
  nameConstraints,
  policyMappings,
  requireExplicitPolicy,
  subjectAltName,
} from '../support/pki/extensions.js'
import { crlNumber, issue, issueAuthority, issueCrl } from '../support/pki/hierarchy.js'
import { counterSign } from '../support/xml/counter-sign.js'
import { signatureTemplate, signTemplate } from '../support/xml/sign-template.js'

export const TEXT = Buffer.from('a contract')
export const XML = '<a xmlns:p="urn:p" Id="x"><b p:c="1">contract &amp; annex</b><!-- c --></a>'

const LARGEST = 100_000

/** Files of the conformance folder with this ending, none when it is absent; at most `most`, spread over all. */
function conformance(folder: string, endings: RegExp, most: number): Buffer[] {
  const root = join(conformanceDir, folder)
  if (!existsSync(root)) return []
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => endings.test(name) && statSync(join(root, name)).size < LARGEST)
    .sort()
  const step = Math.max(1, Math.ceil(names.length / most))
  return names.filter((_, index) => index % step === 0).map((name) => readFileSync(join(root, name)))
}

const der = (files: readonly Buffer[]): Buffer[] => files.filter((file) => file[0] === 0x30)

/** Good inputs of every kind: of the development authorities, and of the conformance folder where it is there. */
export function makeSeeds() {
  const authorities = testAuthorities()
  const people = (['rsa2048', 'p256', 'gost512', 'ed25519', 'ed448', 'brainpool256'] as const).map((algorithm) =>
    authorities.employee({ algorithm }),
  )
  const evidence = { timeStamp: true, ocsp: true }
  const signed = people.map((one) => one.signXml(XML, evidence))
  const root = issueAuthority(undefined, { subject: 'fuzz root' })
  const names = [general.dns('a.example.com'), general.email('box@example.com'), general.ip(192, 0, 2, 1)]
  const subtrees = [...names.slice(0, 2), general.ip(192, 0, 2, 0, 255, 255, 255, 0)]
  const places = [general.uri('http://crl.example/x.crl'), general.directory(nameDer([['2.5.4.10', 'Org']]))]
  const issuing = issueAuthority(root, {
    subject: 'fuzz issuing',
    extensions: [
      nameConstraints({ permitted: subtrees, excluded: [general.uri('.example.org')] }),
      certificatePolicies('1.2.3.1', '2.5.29.32.0'),
      policyMappings(['1.2.3.1', '1.2.3.2']),
      requireExplicitPolicy(2),
      distributionPoints({ names: places }),
    ],
  })
  const leaf = issue(issuing, {
    subject: 'fuzz leaf',
    extensions: [
      basicConstraints(false),
      subjectAltName(...names),
      certificatePolicies('1.2.3.2'),
      extKeyUsage('1.3.6.1.5.5.7.3.4'),
      distributionPoints({ names: places }),
    ],
  })
  const crl = issueCrl(issuing, {
    revoked: [{ serial: Buffer.of(0x11, 0x22) }, { serial: Buffer.of(0x33) }],
    extensions: [crlNumber(7)],
  })
  return {
    authorities,
    people,
    root,
    issuing,
    leaf,
    crl,
    cms: [
      ...people.map((one) => one.signCms(TEXT, { detached: false, ...evidence })),
      ...people.map((one) => one.signCms(TEXT)),
      ...der(conformance('kz/signatures', /SIGNED.*\.der$/, 4)),
      ...der(conformance('pkits/cms', /./, 12)),
    ],
    certificates: [
      ...people.map(({ certificate }) => certificate),
      ...authorities.intermediates,
      ...[root, issuing, leaf].map(({ certificate }) => Buffer.from(certificate.der)),
      ...der(conformance('pkits/certs', /\.crt$/, 60)),
      ...der(conformance('kz', /\.(cer|crt)$/, 10)),
    ],
    crls: [
      Buffer.from(crl.der),
      authorities.crl('rsa'),
      ...der(conformance('pkits/crls', /\.crl$/, 40)),
      ...der(conformance('kz', /\.crl$/, 4)),
    ],
    answers: [
      ...people.map(({ certificate, issuer }) => authorities.ocsp.status(certificate, issuer)),
      ...der(conformance('kz/tsp-ocsp', /^ocsp.*\.bin$/, 5)),
    ],
    stamps: [authorities.tsa.stamp(TEXT), ...der(conformance('kz/tsp-ocsp', /^tsp.*\.bin$/, 2))],
    documents: [
      ...signed.map(({ document }) => document),
      ...counterSigned(people),
      ...conformance('kz/xml', /\.xml$/, 2).map(String),
      ...conformance('xmlsec', /\.xml$/, 60).map(String),
    ],
    elements: signed.map(({ signature }) => signature),
  }
}

/** A document whose signature is signed by somebody else. */
function counterSigned([one, other]: readonly Subject[]): string[] {
  if (one === undefined || other === undefined) return []
  const signed = signTemplate(`<a><b/>${signatureTemplate(one, { valueId: 'v' })}</a>`, one)
  return [counterSign(signed, 'v', other)]
}

export type Seeds = ReturnType<typeof makeSeeds>
