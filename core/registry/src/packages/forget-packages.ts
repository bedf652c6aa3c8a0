import { DocumentLists, DocumentStore, ForgottenEntries, IncompleteRetention } from '../documents/index.js'
import type { ScheduledTask } from '../kernel/schedule.js'
import type { Injected } from '../kernel/service.js'
import { DataStates } from '../originals/index.js'
import { PackageLists } from './package-lists.js'
import { PackageNotifications } from './package-notifications.js'
import { PackageStore } from './package-store.js'

/**
 * Deletes packages, with their documents, that nobody signed and that never got all their originals. They would otherwise
 * fill the database.
 */
export class ForgetPackages implements ScheduledTask {
  static readonly task = { name: 'forgetPackages', schedule: '41 3 * * *' }
  static readonly inject = {
    packages: PackageStore,
    packageLists: PackageLists,
    notifications: PackageNotifications,
    documents: DocumentStore,
    lists: DocumentLists,
    states: DataStates,
    retention: IncompleteRetention,
    entries: ForgottenEntries,
  }

  constructor(private readonly use: Injected<typeof ForgetPackages.inject>) {}

  async run(): Promise<void> {
    const { retention, packages } = this.use
    await retention.overdue(
      (moment, limit) => packages.waitingSince(moment, limit),
      (id) => this.lookAt(id),
    )
  }

  private async lookAt(id: string): Promise<void> {
    const forgotten = await this.use.packages.lock(id)
    const { documentsIds } = forgotten
    const documents = await this.use.documents.lockAll(documentsIds)
    const isComplete = documents.every(({ digestsFixedAt }) => digestsFixedAt !== undefined)
    if (isComplete || documents.some(({ signaturesTotal }) => signaturesTotal > 0)) {
      return this.use.packages.wait(id, undefined)
    }
    // Archived documents are kept for ever.
    if ((await this.use.states.archived(documentsIds)).size > 0) return this.use.packages.wait(id, undefined)
    // Stored or incoming originals have to be gone first; the package is checked again on another day.
    if ((await this.use.states.stored(documentsIds)).size > 0) {
      return this.use.packages.wait(id, this.use.retention.aDayLeft())
    }
    await this.use.entries.ofDocuments(documents)
    await this.use.entries.ofPackage(id)
    await this.use.lists.forget(documents)
    await this.use.documents.forget(documentsIds)
    await this.use.notifications.forget(id)
    await this.use.packageLists.forget(forgotten)
    await this.use.packages.forget(id)
  }
}
