import type { Injected } from '../kernel/service.js'
import { RenewEvidence } from './renew-evidence.js'
import { RenewalState } from './renewal-state.js'

/** Renews everything within a minute when an administrator asks for it (`signed-registry admin renew`). */
export class RenewOnRequest {
  static readonly task = { name: 'renewOnRequest', schedule: '* * * * *' }
  static readonly inject = { state: RenewalState, renewal: RenewEvidence }

  constructor(private readonly use: Injected<typeof RenewOnRequest.inject>) {}

  async run(): Promise<void> {
    const { requestedAt, doneAt = 0 } = await this.use.state.read()
    if (requestedAt !== undefined && requestedAt > doneAt) await this.use.renewal.run()
  }
}
