import { Database } from '../database/database.js'
import { type CheckedDocument, type WholeDocument, WholeDocuments } from '../documents/index.js'
import { type Caller, organizationOf } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { Subscriptions } from '../organizations/index.js'
import type { Digests } from '../originals/index.js'
import { NewPackages, newPackage } from '../packages/index.js'

/** Where documents are registered, in their order. */
interface RegisteredWhole {
  readonly packageId: string | undefined
  readonly documents: readonly {
    readonly documentId: string
    readonly signIds: number[]
    readonly size: number
    readonly digests: Digests
  }[]
}

/** Registers documents that came in one file: one by itself, several as a package; all or none. */
export class RegisterWhole {
  static readonly inject = {
    whole: WholeDocuments,
    packages: NewPackages,
    features: Subscriptions,
    database: Database,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof RegisterWhole.inject>) {}

  async register(
    caller: Caller,
    documents: readonly WholeDocument[],
    about: { readonly title: string; readonly description: string; readonly isPrivate: boolean },
  ): Promise<RegisteredWhole> {
    const pack = documents.length > 1 ? await this.package(caller, documents, about) : undefined
    const checked: CheckedDocument[] = []
    try {
      for (const [index, one] of documents.entries()) {
        const id = pack?.documentsIds[index]
        const packaged = pack && id !== undefined ? { packaged: { id, packageId: pack.id } } : {}
        checked.push(await this.use.whole.check(caller, { ...one, ...packaged }))
      }
      const added = await this.use.database.transaction(async () => {
        if (pack !== undefined) await this.use.packages.add(pack)
        return this.use.whole.add(caller, checked)
      })
      return {
        packageId: pack?.id,
        documents: checked.flatMap(({ size, taken: { digests } }, index) => {
          const one = added[index]
          return one === undefined ? [] : [{ ...one, size, digests }]
        }),
      }
    } catch (error) {
      await Promise.allSettled(checked.map(({ taken }) => taken.giveUp()))
      throw error
    }
  }

  private async package(
    caller: Caller,
    documents: readonly unknown[],
    { title, description, isPrivate }: { title: string; description: string; isPrivate: boolean },
  ) {
    await this.use.features.assertEnabled(organizationOf(caller), 'documentsPackages')
    const settings = isPrivate ? { private: true } : {}
    const given = { title, description, settings, documentsSettings: settings, documents }
    return newPackage(caller, given, { storedAt: this.use.clock.now(), dataSecretDigest: undefined })
  }
}
