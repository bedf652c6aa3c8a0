import { client, Told } from './api.js'
import { toBase64 } from './bytes.js'
import { byId, make, progressBar, say, show } from './dom.js'
import { type Algorithm, hashesOf, hashOf, SHA256, STREEBOG512 } from './hash.js'
import { LARGEST, ProgramRefusal, signByNcaLayer } from './ncalayer.js'
import { signByPhone } from './phone.js'
import { onPhone } from './phone-code.js'
import { type GivenSignature, signatureIn } from './signature-file.js'
import { language, texts } from './texts.js'

type Use = 'signing' | 'authentication'

interface DevelopmentPerson {
  readonly person: string
  readonly name: string
  readonly organization?: string
  readonly iin?: string
  readonly bin?: string
}

/** Something to sign. */
export interface Content {
  readonly blob: Blob
  /** Its SHA-256 in base64, where that is known already. */
  readonly digest?: string
  /** Its name, for the person. */
  readonly name: string
}

/** Lists the people of a development host, and shows the fields of the chosen way to sign. */
export function prepareWays(): void {
  for (const input of document.querySelectorAll('input[name=way]')) input.addEventListener('change', showWay)
  if (onPhone()) preferPhone()
  showWay()
  if (document.getElementById('person') !== null) fillPeople().catch(() => undefined)
}

/** On a phone its app comes first: NCALayer is a program for desks. */
function preferPhone(): void {
  const phone = document.getElementById('way-phone')
  const ncaLayer = document.getElementById('way-ncalayer')
  if (!(phone instanceof HTMLInputElement) || !(ncaLayer instanceof HTMLInputElement)) return
  const row = phone.closest('.way')
  if (row !== null) ncaLayer.closest('.way')?.before(row)
  if (ncaLayer.checked) phone.checked = true
}

/** Shows only the fields of the chosen way. */
export function showWay(): void {
  for (const more of document.querySelectorAll<HTMLElement>('[data-way]')) more.hidden = more.dataset.way !== way()
}

async function fillPeople(): Promise<void> {
  const { people }: { people: readonly DevelopmentPerson[] } = await (await fetch('/api/development/people')).json()
  const select = byId('person', HTMLSelectElement)
  const { iin, bin } = select.dataset
  const isLoggedIn = (one: (typeof people)[number]) => iin !== undefined && one.iin === iin && one.bin === bin
  select.replaceChildren(
    ...people.map((one) => {
      const { person, name, organization } = one
      // As the default, which a form has again after it was reset.
      const chosen = isLoggedIn(one) ? { selected: '' } : {}
      return make(
        'option',
        { value: person, ...chosen },
        organization === undefined ? name : `${name}, ${organization}`,
      )
    }),
  )
}

/** The chosen way to sign. */
export const way = (): string => document.querySelector<HTMLInputElement>('input[name=way]:checked')?.value ?? ''

/** Signs each of the contents in the chosen way; shows progress in `place`. */
export async function signAll(
  contents: readonly Content[],
  place: HTMLElement,
  use: Use = 'signing',
): Promise<GivenSignature[]> {
  const signers: Readonly<Record<string, () => Promise<GivenSignature[]>>> = {
    ncalayer: () => byNcaLayer(contents, use, place),
    phone: async () => (await signByPhone(contents, place)).map(cms),
    development: () => byDevelopmentPerson(contents, use),
    file: () => byFile(contents),
  }
  return (await signers[way()]?.()) ?? []
}

const cms = (signature: string): GivenSignature => ({ signType: 'cms', signature })

async function byNcaLayer(contents: readonly Content[], use: Use, place: HTMLElement): Promise<GivenSignature[]> {
  if (contents.reduce((sum, { blob }) => sum + blob.size, 0) > LARGEST)
    return (await hashesByNcaLayer(contents, place)).map(cms)
  say(place, 'busy', make('p', {}, texts.signing))
  show(place)
  const encoded: string[] = []
  for (const { blob } of contents) encoded.push(toBase64(new Uint8Array(await blob.arrayBuffer())))
  return (await signByNcaLayer(encoded, { use, locale: language })).map(cms)
}

/**
 * Passes hashes to the program instead of contents that are too large for it. Each key signs one kind of hash, and the key is
 * known only after the person has chosen it: tries the hash of most keys first, then the other one.
 */
async function hashesByNcaLayer(contents: readonly Content[], place: HTMLElement): Promise<string[]> {
  const kinds: readonly Algorithm[] = [STREEBOG512, SHA256]
  const hashes: (readonly Uint8Array[])[] = []
  for (const { blob } of contents) {
    const bar = progressBar(texts.hashing)
    say(place, 'busy', make('p', {}, texts.hashing), bar.element)
    hashes.push(await hashesOf(blob, bar.to, kinds))
  }
  const ask = (kind: number) =>
    signByNcaLayer(
      hashes.map((all) => toBase64(all[kind] ?? new Uint8Array())),
      { use: 'signing', locale: language, areHashes: true },
    )
  say(place, 'busy', make('p', {}, texts.signing))
  const signatures = await ask(0).catch((error) => {
    if (error instanceof ProgramRefusal) return undefined
    throw error
  })
  if (signatures !== undefined && (await isOver(STREEBOG512, signatures[0] ?? ''))) return signatures
  say(place, 'busy', make('p', {}, texts.signingAgain))
  return ask(1)
}

/** Whether a signature uses this hash algorithm. */
async function isOver(algorithm: Algorithm, signature: string): Promise<boolean> {
  const { signatures } = await client.checkSignature({ request: { signature } })
  return signatures.some(({ digests }) => algorithm in digests)
}

async function byDevelopmentPerson(contents: readonly Content[], use: Use): Promise<GivenSignature[]> {
  const people = byId('person', HTMLSelectElement)
  // Submitted before the list was loaded.
  if (people.options.length === 0) await fillPeople()
  const { value: person } = people
  const signatures: GivenSignature[] = []
  for (const { blob, digest } of contents) {
    const response = await fetch('/api/development/sign', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ person, use, digest: digest ?? toBase64(await hashOf(blob)) }),
    })
    if (!response.ok) throw new Told(texts.offline)
    const { signature }: { signature: string } = await response.json()
    signatures.push(cms(signature))
  }
  return signatures
}

async function byFile(contents: readonly Content[]): Promise<GivenSignature[]> {
  if (contents.length > 1) throw new Told(texts.oneSignatureFile)
  const file = byId('signature-file', HTMLInputElement).files?.[0]
  const signature = file === undefined ? undefined : await signatureIn(file)
  if (signature === undefined) throw new Told(texts.noSignatureFile, 'signature-file')
  return [signature]
}
