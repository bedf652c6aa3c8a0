import { type Completion, type CompletionListener, type StoredDocument, tellCompletion } from '../documents/index.js'
import { Outbox } from '../events/index.js'
import { all, token } from '../kernel/token.js'
import { PackageStore, type StoredPackage } from './package-store.js'

/** Hears that the registration of a package is complete: the hashes of its last document are fixed. */
export interface PackageCompletionListener {
  /** Runs inside the transaction that fixes the hashes, with the package locked, under the same rules as `CompletionListener`. */
  packageCompleted(completed: StoredPackage): Promise<Completion | undefined>
}
export const PackageCompletionListener = token<PackageCompletionListener>('PackageCompletionListener')

/** Notices which document completes its package. */
export class PackageCompletion implements CompletionListener {
  static readonly inject = [PackageStore, Outbox, all(PackageCompletionListener)] as const

  constructor(
    private readonly packages: PackageStore,
    private readonly outbox: Outbox,
    private readonly listeners: PackageCompletionListener[] | undefined,
  ) {}

  async documentCompleted({ packageId }: StoredDocument): Promise<Completion | undefined> {
    if (packageId === undefined) return undefined
    // Of two documents that race to be the last, one waits here and then sees the other.
    const completed = await this.packages.lock(packageId)
    if (!(await this.packages.isComplete(packageId))) return undefined
    await this.outbox.add({ type: 'packageCompleted', packageId })
    return tellCompletion(this.listeners, (listener) => listener.packageCompleted(completed))
  }
}
