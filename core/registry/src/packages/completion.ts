import { type Completion, type CompletionListener, type DocumentRecord, tellCompletion } from '../documents/index.js'
import { EventPublisher } from '../events/index.js'
import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import { PackageStore, type StoredPackage } from './package-store.js'

/** Called when the registration of a package is complete: the hashes of its last document are fixed. */
export interface PackageCompletionListener {
  /** Runs inside the transaction that fixes the hashes, with the package locked, under the same rules as `CompletionListener`. */
  packageCompleted(completed: StoredPackage): Promise<Completion | undefined>
}
export const PackageCompletionListener = port<PackageCompletionListener>('PackageCompletionListener', 'contribution')

/** Detects that a document completes its package. */
export class PackageCompletion implements CompletionListener {
  static readonly inject = { packages: PackageStore, events: EventPublisher, listeners: PackageCompletionListener }

  constructor(private readonly use: Injected<typeof PackageCompletion.inject>) {}

  async documentCompleted({ packageId }: DocumentRecord): Promise<Completion | undefined> {
    if (packageId === undefined) return undefined
    // Of two concurrent last documents one waits here and then sees the other.
    const completed = await this.use.packages.lock(packageId)
    if (!(await this.use.packages.isComplete(packageId))) return undefined
    await this.use.events.publish({ type: 'packageCompleted', packageId })
    return tellCompletion(this.use.listeners, (listener) => listener.packageCompleted(completed))
  }
}
