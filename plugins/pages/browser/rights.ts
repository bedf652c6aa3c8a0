import type { AccessControl } from '@signed-registry/client'
import { client, Told } from './api.js'
import { dataOf } from './dom.js'
import { textIn } from './recipient.js'
import { texts } from './texts.js'

/** Who had each right when the page was made. */
interface RightsNow {
  readonly modifiedAt: number
  readonly controls: Readonly<Record<string, AccessControl>>
}

/** Saves the rights on this page; people on other pages of the list keep theirs. */
export async function saveRights(form: FormData): Promise<void> {
  const { modifiedAt, controls } = dataOf<RightsNow>('now')
  const added = personIn(form)
  if ((await client.getOrganizationSettings()).modifiedAt !== modifiedAt) throw new Told(texts.changedMeanwhile)
  const shown = new Set(
    [...document.querySelectorAll<HTMLElement>('[data-row]')].map(({ dataset }) => dataset.row ?? ''),
  )
  const right = (name: string): AccessControl => {
    const chosen = form.getAll(name).map((key) => (key === 'new' ? added : String(key)))
    const { iins = [], authorities = [], tlsCertificatesIndices = [] } = controls[name] ?? {}
    const after = (before: readonly string[], isOne: (key: string) => boolean): string[] => {
      const granted = chosen.filter((key) => key !== undefined).filter(isOne)
      return [...new Set([...before.filter((one) => !shown.has(one) || granted.includes(one)), ...granted])]
    }
    const places = after(
      tlsCertificatesIndices.map((index) => `#${index}`),
      (key) => key.startsWith('#'),
    )
    return {
      iins: after(iins, (key) => key.startsWith('IIN')),
      authorities: after(authorities, (key) => /^\d/.test(key)),
      tlsCertificatesIndices: places.map((key) => Number(key.slice(1))),
    }
  }
  await client.saveOrganizationSettings({
    request: {
      documentsAccess: right('documentsAccess'),
      documentsList: right('documentsList'),
      documentsSettings: right('documentsSettings'),
      packagesAccess: right('packagesAccess'),
      packagesList: right('packagesList'),
      packagesSettings: right('packagesSettings'),
      organizationSettings: right('organizationSettings'),
      documentsPackagesRoute: right('documentsPackagesRoute'),
      routedDocumentsPackagesView: right('routedDocumentsPackagesView'),
    },
  })
}

/** The person that is added, if any, who must get a right. */
function personIn(form: FormData): string | undefined {
  const hasRight = [...form.values()].includes('new')
  const number = textIn(form, 'new-person').replace(/\D/g, '')
  if (textIn(form, 'new-person') === '' && !hasRight) return undefined
  if (number.length !== 12) throw new Told(texts.badNumber)
  if (!hasRight) throw new Told(texts.noRightChosen)
  return `IIN${number}`
}
