import {
  type FilesVerdict,
  readTrust,
  reportJson,
  reportOf,
  type TrustFile,
  type VerifyOptions,
  verifyFiles,
} from '@signed-registry/verifier'
import { expect } from 'chai'
import { verifierInBrowsers } from './as-in-browsers.js'

type Verifier = Awaited<ReturnType<typeof verifierInBrowsers>>
type Signed = Uint8Array | string

/** What is judged on both sides; trust is read by each for itself. */
export interface JudgedTwice extends Omit<VerifyOptions, 'trust'> {
  readonly trust: readonly TrustFile[]
}

/** Judges the same by the verifier of Node and by that of browsers; answers the verdict of Node once both reports are the same. */
export async function verdictComparison(): Promise<
  (signed: Signed, documents: readonly Uint8Array[], options: JudgedTwice) => FilesVerdict
> {
  const inBrowsers = await verifierInBrowsers()
  return (signed, documents, { trust, ...options }) => {
    const files = {
      signatures: [{ name: 'signature', signed }],
      documents: documents.map((document, at) => ({ name: `document ${at}`, document })),
    }
    const here = verifyFiles(files, { ...options, trust: readTrust(trust) })
    const there = inBrowsers.verifyFiles(files, { ...options, trust: inBrowsers.readTrust(trust) })
    const report = (by: Pick<Verifier, 'reportJson' | 'reportOf'>, verdict: FilesVerdict) =>
      by.reportJson(by.reportOf(verdict, { language: 'ru' }))
    expect(report(inBrowsers, there)).to.equal(report({ reportJson, reportOf }, here))
    return here
  }
}
